#include "hdf5_disk.h"

#if H5_VERSION_GE(1, 13, 0)
#include <H5FDdevelop.h>
#endif
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

typedef struct disk_file {
  H5FD_t public; /* HDF5 fills it */
  omr_disk *disk;
  haddr_t eoa, eof; /* end of the allocated range, and of the written one */
} disk_file;

#define MOST_BYTES ((haddr_t)INT64_MAX)

static void keep_cause(omr_disk *disk) {
  if (!disk->cause) disk->cause = errno ? errno : EIO;
}

static bool is_of_parent(const omr_disk *disk) {
  return disk->forks != omr_forks();
}

static H5FD_t *open_disk(const char *name, unsigned flags, hid_t access, haddr_t most) {
  (void)name;
  (void)most;
  omr_disk *const *info = H5Pget_driver_info(access);
  disk_file *file = info ? calloc(1, sizeof *file) : NULL;
  struct stat there;
  if (!file) return NULL;
  file->disk = *info;
  file->disk->forks = omr_forks();
  if (flags & H5F_ACC_TRUNC && ftruncate(file->disk->descriptor, 0) != 0) keep_cause(file->disk);
  if (fstat(file->disk->descriptor, &there) == 0)
    file->eof = (haddr_t)there.st_size;
  else
    keep_cause(file->disk);
  return &file->public;
}

static herr_t close_disk(H5FD_t *file) {
  free(file);
  return 0;
}

/* The same features as HDF5's own driver for plain files. */
static herr_t query_disk(const H5FD_t *file, unsigned long *flags) {
  (void)file;
  *flags = H5FD_FEAT_AGGREGATE_METADATA | H5FD_FEAT_ACCUMULATE_METADATA | H5FD_FEAT_DATA_SIEVE |
           H5FD_FEAT_AGGREGATE_SMALLDATA | H5FD_FEAT_DEFAULT_VFD_COMPATIBLE;
  return 0;
}

static haddr_t get_eoa(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const disk_file *)file)->eoa;
}

static herr_t set_eoa(H5FD_t *file, H5FD_mem_t type, haddr_t address) {
  (void)type;
  ((disk_file *)file)->eoa = address;
  return 0;
}

static haddr_t get_eof(const H5FD_t *file, H5FD_mem_t type) {
  (void)type;
  return ((const disk_file *)file)->eof;
}

/* Reads; bytes beyond the end of the file are zero. */
static herr_t read_disk(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address, size_t size,
                        void *buffer) {
  (void)type;
  (void)transfer;

  omr_disk *disk = ((disk_file *)file)->disk;
  char *to = buffer;

  /* repeat short and interrupted reads */
  while (size > 0) {
    const ssize_t count = pread(disk->descriptor, to, size, (off_t)address);
    if (count < 0 && errno == EINTR) continue;

    /* a failure is kept, and HDF5 gets zeros */
    if (count < 0) keep_cause(disk);
    if (count <= 0) {
      memset(to, 0, size);
      break;
    }

    to += count;
    address += (haddr_t)count;
    size -= (size_t)count;
  }
  return 0;
}

static herr_t write_disk(H5FD_t *file, H5FD_mem_t type, hid_t transfer, haddr_t address,
                         size_t size, const void *buffer) {
  (void)type;
  (void)transfer;

  disk_file *to = (disk_file *)file;
  const char *from = buffer;

  /* the file grows even if its bytes are dropped: HDF5 must not see a failure */
  if (address + size > to->eof) to->eof = address + size;

  /* repeat short and interrupted writes */
  while (size > 0 && !to->disk->cause && !is_of_parent(to->disk)) {
    errno = 0;
    const ssize_t count = pwrite(to->disk->descriptor, from, size, (off_t)address);
    if (count < 0 && errno == EINTR) continue;

    /* the first failure drops all that follows */
    if (count <= 0) {
      keep_cause(to->disk);
      break;
    }

    from += count;
    address += (haddr_t)count;
    size -= (size_t)count;
  }
  return 0;
}

static herr_t truncate_disk(H5FD_t *file, hid_t transfer, hbool_t closing) {
  (void)transfer;
  (void)closing;
  disk_file *to = (disk_file *)file;
  if (to->eoa == to->eof) return 0;
  if (!to->disk->cause && !is_of_parent(to->disk) &&
      ftruncate(to->disk->descriptor, (off_t)to->eoa) != 0)
    keep_cause(to->disk);
  to->eof = to->eoa;
  return 0;
}

static const H5FD_class_t disk_class = {
#if H5_VERSION_GE(1, 13, 0)
    .version = H5FD_CLASS_VERSION,
    .value = (H5FD_class_value_t)513, /* one of the numbers that HDF5 reserves for experiments */
#endif
    .name = "omniroll",
    .maxaddr = MOST_BYTES,
    .fc_degree = H5F_CLOSE_STRONG,
    .fapl_size = sizeof(omr_disk *),
    .open = open_disk,
    .close = close_disk,
    .query = query_disk,
    .get_eoa = get_eoa,
    .set_eoa = set_eoa,
    .get_eof = get_eof,
    .read = read_disk,
    .write = write_disk,
    .truncate = truncate_disk,
    .fl_map = H5FD_FLMAP_DICHOTOMY};

static herr_t keep_metadata(hid_t access) {
  H5AC_cache_config_t cache = {.version = H5AC__CURR_CACHE_CONFIG_VERSION};
  if (H5Pget_mdc_config(access, &cache) < 0) return -1;
  cache.evictions_enabled = false;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  return H5Pset_mdc_config(access, &cache);
}

/* Registers the driver once. It stays registered as long as HDF5 is open: 1.10 calls the driver's
 * functions once more after a file released it, when another thread may have got the memory. */
static hid_t registered(void) {
  static hid_t driver = -1;
  omr_turn_take(OMR_TURN_FILES); /* threads that open their first files together register it once */
  if (driver < 0 || H5Iget_type(driver) != H5I_VFL) driver = H5FDregister(&disk_class);
  const hid_t found = driver;
  omr_turn_give(OMR_TURN_FILES);
  return found;
}

hid_t omr_disk_access(omr_disk *disk) {
  const hid_t access = H5Pcreate(H5P_FILE_ACCESS), driver = registered();
  const bool made = access >= 0 && driver >= 0 && H5Pset_driver(access, driver, &disk) >= 0 &&
                    keep_metadata(access) >= 0 &&
                    H5Pset_libver_bounds(access, H5F_LIBVER_V110, H5F_LIBVER_V110) >= 0 &&
                    H5Pset_fclose_degree(access, H5F_CLOSE_STRONG) >= 0;
  if (made) return access;
  if (access >= 0) H5Pclose(access);
  return -1;
}
