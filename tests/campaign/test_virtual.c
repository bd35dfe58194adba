/* merge --virtual: the rows stay in the folders of the shards. Every reader gives what it gives of
 * a copy, and nothing is read of a file that is missing, changed, a link or elsewhere. */
#include "tests/campaign/campaign.h"

#include "result/hdf5_virtual.h"

static void set_up_shards(void) {
  set_up_campaign();
  expect(RUN("a.h5", "--shard", "1/2"), OMR_OK);
  expect(RUN("b.h5", "--shard", "2/2"), OMR_OK);
  expect(OMNIROLL("merge", "-q", "-o", "copy.h5", "a.h5.parts", "b.h5.parts"), OMR_OK);
}

TestSuite(virtual_result, .init = set_up_shards, .fini = tear_down, .timeout = 120);

#define JOIN(output) OMNIROLL("merge", "-q", "--virtual", "-o", output, "a.h5.parts", "b.h5.parts")

/* expect_same reads by HDF5 alone, as other programs do. */
Test(virtual_result, has_what_a_copy_has) {
  expect(JOIN("v.h5"), OMR_OK);
  expect_same("virtual", "copy.h5", "v.h5");
  expect(JOIN("a.h5"), OMR_OK); /* the folder of its own name stays, too */
  expect_same("of the name of a folder", "copy.h5", "a.h5");
  shell("test -f a.h5.parts/chunk-000000.h5 && test -f b.h5.parts/chunk-000001.h5");
  shell("test $(stat -c %%s v.h5) -lt $(stat -c %%s copy.h5)");
}

static void expect_output(const char *command, const char *option) {
  static char text[sizeof last.out];
  const outcome *o = OMNIROLL(command, "copy.h5", option);
  expect(o, OMR_OK);
  snprintf(text, sizeof text, "%s", o->out);
  o = OMNIROLL(command, "v.h5", option);
  expect(o, OMR_OK);
  cr_expect_str_eq(o->out, text, "%s %s", command, option);
}

Test(virtual_result, is_read_by_every_command) {
  expect(JOIN("v.h5"), OMR_OK);
  expect_output("export", "--trajectories");
  expect(OMNIROLL("export", "copy.h5", "-o", "copy.csv"), OMR_OK);
  expect(OMNIROLL("export", "v.h5", "-o", "v.csv"), OMR_OK);
  shell("cmp copy.csv v.csv");
  shell("for f in copy v; do $OMNIROLL analyze $f.h5 --json | grep -v seconds > $f.json; done; "
        "cmp copy.json v.json");
  expect(OMNIROLL("analyze", "v.h5", "-o", "again.h5"), OMR_OK);
  expect_same("analysed", "copy.h5", "again.h5");
  const outcome *o = OMNIROLL("verify", "v.h5");
  expect(o, OMR_OK);
  expect_text(o->out, "/: virtual, over 6 files");
  expect_text(o->out, " 0 problems");
}

static void refused(const outcome *o, const char *what) {
  expect(o, OMR_ERR_IO);
  expect_text(o->err, what);
}

static void expect_refused(const char *path, const char *what) {
  refused(OMNIROLL("analyze", path), what);
  refused(OMNIROLL("export", path), what);
  refused(OMNIROLL("verify", path), what);
}

Test(virtual_result, is_refused_without_its_files) {
  expect(JOIN("v.h5"), OMR_OK);
  shell("mkdir away && cp v.h5 away && mv v.h5 w.h5");
  expect_refused("away/v.h5", "away/v.h5: is virtual, over 6 files below its folder, and "
                              "a.h5.parts/chunk-000000.h5 is missing");
  expect_text(last.err, "omniroll merge -o FILE a.h5.parts b.h5.parts");
  expect(OMNIROLL("merge", "-q", "-o", "away/own.h5", "a.h5.parts", "b.h5.parts"), OMR_OK);
  expect_same("the remedy", "copy.h5", "away/own.h5");
  refused(OMNIROLL("analyze", "w.h5", "-o", "away/w.h5"), "a.h5.parts/chunk-000000.h5 is missing");
  cr_expect_not(exists("away/w.h5"));
  expect(OMNIROLL("analyze", "w.h5"), OMR_OK);
  shell("mv b.h5.parts away");
  expect_refused("w.h5", "b.h5.parts/chunk-000001.h5 is missing");
  shell("mv a.h5.parts away");
  expect(OMNIROLL("verify", "away/v.h5"), OMR_OK); /* all of it moved */
}

Test(virtual_result, follows_no_link) {
  expect(JOIN("v.h5"), OMR_OK);
  shell("mv b.h5.parts real && ln -s real b.h5.parts");
  expect_refused("v.h5", "leads through a symbolic link");
  shell("rm b.h5.parts && mv real b.h5.parts && mv b.h5.parts/chunk-000003.h5 c.h5 && "
        "ln -s ../c.h5 b.h5.parts/chunk-000003.h5");
  expect_refused("v.h5", "b.h5.parts/chunk-000003.h5 is or leads through a symbolic link");
  shell("rm b.h5.parts/chunk-000003.h5 && mkfifo b.h5.parts/chunk-000003.h5");
  expect_refused("v.h5", "b.h5.parts/chunk-000003.h5 is no plain file");
}

/* A byte anywhere: HDF5 does not see such a file. */
Test(virtual_result, is_refused_with_a_changed_file) {
  expect(JOIN("v.h5"), OMR_OK);
  damage("b.h5.parts/chunk-000003.h5", 5000);
  expect_refused("v.h5", "differs from what was joined");
  expect_text(last.out, "b.h5.parts/chunk-000003.h5: differs from what was joined");
  shell("truncate -s -1 b.h5.parts/chunk-000003.h5");
  expect_refused("v.h5", "b.h5.parts/chunk-000003.h5 has another length");
}

Test(virtual_result, names_no_file_above_or_elsewhere) {
  static const char *const names[] = {"",     "/etc/passwd", "../a.h5", "a/../../b.h5",
                                      "a//b", "./a.h5",      "a/"};
  omr_virtual *v;
  omr_error error = {.message = ""};
  for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
    char name[32];
    snprintf(name, sizeof name, "%s", names[i]);
    cr_assert_eq(omr_virtual_make("copy.h5", &v, &error), OMR_OK);
    const omr_virtual_file file = {.name = name, .rows = 1, .bytes = 100};
    cr_expect_eq(omr_virtual_add(v, &file, &error), OMR_ERR_IO, "%s", name);
    cr_expect_not_null(strstr(error.message, "names only files below"), "%s", error.message);
    omr_virtual_free(v);
  }
}

static herr_t strip(hid_t object, const char *name, const H5O_info_t *info, void *user) {
  (void)info, (void)user;
  H5Adelete_by_name(object, name, "checksum", H5P_DEFAULT);
  return 0;
}

/* A file of a stranger has HDF5 read another one in place of a column, without checksums. */
Test(virtual_result, a_column_of_a_strangers_file_leads_nowhere) {
  const hsize_t rows = 83;
  const hid_t file = H5Fopen("copy.h5", H5F_ACC_RDWR, H5P_DEFAULT),
              list = H5Pcreate(H5P_DATASET_CREATE), space = H5Screate_simple(1, &rows, NULL);
  cr_assert_geq(H5Ovisit(file, H5_INDEX_NAME, H5_ITER_INC, strip, NULL), 0);
  cr_assert_geq(H5Pset_virtual(list, space, "secret.h5", "/instances/path_length", space), 0);
  cr_assert_geq(H5Ldelete(file, "/instances/path_length", H5P_DEFAULT), 0);
  const hid_t column = H5Dcreate2(file, "/instances/path_length", H5T_IEEE_F64LE, space,
                                  H5P_DEFAULT, list, H5P_DEFAULT);
  cr_assert_geq(H5LTset_attribute_string(file, "/instances/path_length", "role", "observable"), 0);
  H5Dclose(column);
  H5Fclose(file);
  expect(JOIN("v.h5"), OMR_OK);
  shell("cp v.h5 secret.h5");
  refused(OMNIROLL("export", "copy.h5"), "it names other files, which no result of omniroll does");
  refused(OMNIROLL("analyze", "copy.h5"), "it names other files");
}

Test(virtual_result, is_not_made_where_it_could_not_be_read) {
  shell("mkdir other");
  refused(JOIN("other/v.h5"), "a.h5.parts is not below the folder of other/v.h5");
  cr_expect_not(exists("other/v.h5"));
  shell("mv a.h5.parts other/a && ln -s other/a a.h5.parts");
  expect(JOIN("v.h5"), OMR_OK); /* the link is not in the way */
  shell("rm a.h5.parts");
  expect(OMNIROLL("verify", "v.h5"), OMR_OK);
  for (int i = 0; i < 2; i++)
    expect(RUN(i ? "d.h5" : "c.h5", "--shard", i ? "2/2" : "1/2", "--set",
               "output.trajectories.instances=\"extremes of final_x\""),
           OMR_OK);
  const outcome *o = OMNIROLL("merge", "--virtual", "-o", "n.h5", "c.h5.parts", "d.h5.parts");
  expect(o, OMR_ERR_USAGE);
  expect_text(o->err, "known only with all rows");
  expect(OMNIROLL("merge", "-q", "-o", "n.h5", "c.h5.parts", "d.h5.parts"), OMR_OK);
}
