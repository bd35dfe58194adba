"""Scripts of omniroll plan --emit: each is valid for its engine, and what its tasks run gives the bits of one process."""

import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

try:
    import yaml
except ImportError:
    yaml = None

PROGRAM = os.environ["OMNIROLL"]
ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
STUDY = {"title": "A study's text $(with) `marks`", "model": "omni_vehicle",
         "vary": [{"path": "wheel.friction", "uniform": [0.2, 0.4]}], "design": {"type": "monte_carlo", "instances": 40},
         "integrator": {"step": "1 ms", "duration": "10 ms", "method": "rosenbrock"}}
# A value with every mark that a shell, Snakemake or Kubernetes takes for its own.
TITLE = "it's {so} $(JOB_COMPLETION_INDEX) \"$HOME\""
CHANGES = ["--set", "engine.chunk=8", "--set", f"title={json.dumps(TITLE)}"]
NAMED = {"slurm": [], "snakemake": [], "kubernetes": ["--image", "registry/omniroll:1", "--storage", "shared"],
         "aws": ["--image", "registry/omniroll:1", "--storage", "fs-1", "--queue", "spot"]}
AWAY = ("OMP", "SLURM", "PBS", "SGE", "LSB", "PMI", "AWS_BATCH", "OMNIROLL_SHARD")
KEPT = {name: value for name, value in os.environ.items() if not name.startswith(AWAY)}


class JobScripts(unittest.TestCase):
    def setUp(self):
        self.folder = tempfile.mkdtemp()
        self.addCleanup(shutil.rmtree, self.folder)
        self.write("my study.json", json.dumps(STUDY))
        os.mkdir(self.path("bin"))
        os.symlink(PROGRAM, self.path("bin", "omniroll"))
        self.environment = {**KEPT, "PATH": self.path("bin") + os.pathsep + KEPT["PATH"]}

    def path(self, *names):
        return os.path.join(self.folder, *names)

    def write(self, name, text, mode=0o644):
        with open(self.path(name), "w", encoding="utf-8") as file:
            file.write(text)
        os.chmod(self.path(name), mode)

    def run_in(self, *command, code=0, **more):
        done = subprocess.run(command, cwd=self.folder, env={**self.environment, **more}, capture_output=True, text=True)
        self.assertEqual(done.returncode, code, done.stderr + done.stdout)
        return done

    def emit(self, engine, *more, tasks="3", code=0):
        changes = [] if "engine.chunk" in " ".join(more) else CHANGES
        return self.run_in(PROGRAM, "plan", "my study.json", "--backend", "openmp", "--tasks", tasks, "--emit", engine,
                           *NAMED[engine], *changes, *more, code=code)

    def expect_result(self, name="my study.h5"):
        self.run_in(PROGRAM, "run", "my study.json", "-o", "whole.h5", "-q", "--backend", "openmp", *CHANGES)
        self.run_in("sh", os.path.join(ROOT, "tests", "cluster", "expect_same.sh"), "whole.h5", name, "3")
        self.assertIn(TITLE, self.run_in(PROGRAM, "analyze", name).stdout)
        self.assertFalse(os.path.exists(self.path("my study.h5.parts")))

    def stubs(self, name, text):
        self.write(os.path.join("bin", name), "#!/bin/sh\n" + text, 0o755)

    def test_slurm_sends_an_array_whose_tasks_make_the_result(self):
        script = self.emit("slurm", "--queue", "long").stdout
        self.assertIn("putting the result together: about ", script)
        self.assertRegex(script, r"2 times that is asked for.*\n.*\n.*the task that ends last")
        self.assertRegex(script, r"memory: at most about \d.*1.25 times.*, and 256 MB for the program")
        self.assertIn("omniroll must be on the PATH of the nodes", script)
        self.assertNotIn("MaxArraySize", script)
        self.assertNotRegex(script, r"\de\+\d")
        self.assertRegex(script, r"disk: at most about .* \d+ files")
        self.write("job.sh", script)
        self.run_in("sh", "-n", "job.sh")
        self.stubs("sbatch", 'cat >"sent.$#"; echo 17\n')
        self.assertEqual(self.run_in("sh", "job.sh").stdout, "tasks: job 17\n")
        with open(self.path("sent.1"), encoding="utf-8") as file:
            sent = file.read()
        for line in ("--array=1-3", "--partition=long", "--job-name=my-study"):
            self.assertIn(f"#SBATCH {line}\n", sent)
        self.assertRegex(sent, r"--time=0:0\d:00\n")
        self.assertRegex(sent, r"--mem=\d{3}M\n")
        for task in range(1, 4):
            self.run_in("sh", "sent.1", SLURM_ARRAY_TASK_ID=str(task), SLURM_ARRAY_TASK_COUNT="3", SLURM_ARRAY_TASK_MIN="1")
        self.expect_result()

    def test_slurm_merges_in_a_job_of_its_own_where_that_takes_long(self):
        script = self.emit("slurm", "--set", "design.instances=30000000", "--set", "integrator.duration=1 ms", "--set",
                           "engine.chunk=1000000", "--set", "integrator.step_error=off", tasks="20").stdout
        self.assertIn("the job that merges the folders of all tasks", script)
        self.assertIn("MaxArraySize of 1001 takes arrays of at most 1000 tasks",
                      self.emit("slurm", "--set", "design.instances=2000", "--set", "engine.chunk=1", tasks="1001").stdout)
        self.write("job.sh", script)
        self.run_in("sh", "-n", "job.sh")
        self.stubs("sbatch", 'echo "$@" >>options; cat >>sent; echo "17;cluster"\n')
        self.assertEqual(self.run_in("sh", "job.sh").stdout, "tasks: job 17\nmerge: job 17\n")
        with open(self.path("options"), encoding="utf-8") as file:
            self.assertEqual(file.read(), "--parsable\n--parsable --dependency=afterok:17\n")
        with open(self.path("sent"), encoding="utf-8") as file:
            sent = file.read()
        self.assertIn("-o 'my study.h5'.shards/\"$SLURM_ARRAY_TASK_ID\".h5", sent)
        self.assertIn("exec omniroll merge -o 'my study.h5' 'my study.h5'.shards/*.h5.parts\n", sent)

    @unittest.skipUnless(yaml, "python3-yaml is not here")
    def test_kubernetes_has_an_indexed_job_whose_pods_make_the_result(self):
        script = self.emit("kubernetes").stdout
        self.assertIn("it must be ReadWriteMany", script)
        job = yaml.safe_load(script)
        spec = job["spec"]
        self.assertEqual((job["apiVersion"], job["kind"], spec["completionMode"], spec["completions"], spec["parallelism"]),
                         ("batch/v1", "Job", "Indexed", 3, 3))
        self.assertRegex(job["metadata"]["name"], r"^[a-z]([a-z0-9-]*[a-z0-9])?$")
        pod = spec["template"]["spec"]
        self.assertEqual(pod["restartPolicy"], "Never")
        self.assertGreaterEqual(pod["activeDeadlineSeconds"], 60)
        self.assertEqual(pod["volumes"], [{"name": "work", "persistentVolumeClaim": {"claimName": "shared"}}])
        [container] = pod["containers"]
        self.assertEqual(container["image"], "registry/omniroll:1")
        self.assertEqual(container["resources"]["requests"]["memory"], container["resources"]["limits"]["memory"])
        self.assertTrue(container["volumeMounts"][0]["mountPath"])
        for index in range(3):
            self.run_pod(container["command"], index, JOB_COMPLETION_INDEX=str(index))
        self.expect_result()

    def run_pod(self, command, index, **more):
        """As Kubernetes: $(NAME) is the variable, and $$(NAME) is the text $(NAME)."""
        filled = [re.sub(r"\$(\$?)\(JOB_COMPLETION_INDEX\)", lambda found: "$(JOB_COMPLETION_INDEX)" if found[1] else str(index), word)
                  for word in command]
        self.run_in(*[word.replace("/study/", self.folder + "/") if word.startswith("/study/") else word for word in filled], **more)

    def test_aws_registers_and_submits_an_array_whose_containers_make_the_result(self):
        self.write("job.sh", self.emit("aws").stdout)
        self.run_in("sh", "-n", "job.sh")
        self.stubs("aws", 'test "$1 $3" = "batch --cli-input-json" && printf %s "$4" >"$2.json"\n')
        self.run_in("sh", "job.sh")
        with open(self.path("register-job-definition.json"), encoding="utf-8") as file:
            definition = json.load(file)
        with open(self.path("submit-job.json"), encoding="utf-8") as file:
            submitted = json.load(file)
        self.assertEqual(submitted, {"jobName": "my-study", "jobDefinition": definition["jobDefinitionName"], "jobQueue": "spot",
                                     "arrayProperties": {"size": 3}})
        self.assertGreaterEqual(definition["timeout"]["attemptDurationSeconds"], 60)
        container = definition["containerProperties"]
        self.assertEqual({one["type"] for one in container["resourceRequirements"]}, {"VCPU", "MEMORY"})
        self.assertEqual(container["volumes"][0]["efsVolumeConfiguration"]["fileSystemId"], "fs-1")
        for index in range(3):
            command = [word.replace("/study/", self.folder + "/") if word.startswith("/study/") else word
                       for word in container["command"]]
            self.run_in(*command, AWS_BATCH_JOB_ARRAY_INDEX=str(index), AWS_BATCH_JOB_ARRAY_SIZE="3")
        self.expect_result()

    def test_snakemake_has_rules_of_shards_and_their_merge(self):
        self.emit("snakemake", "-o", "Snakefile")
        with open(self.path("Snakefile"), encoding="utf-8") as file:
            text = file.read()
        # A rule is a class, and what it has are blocks: the rest is Python.
        python = re.sub(r"(?m)^    (\w+):(.*)$", r"    if 1:\2", re.sub(r"(?m)^rule (\w+):", r"class \1:", text))
        compile(python, "Snakefile", "exec")
        if shutil.which("snakemake"):
            self.run_in("snakemake", "--cores", "2", "-s", "Snakefile")
            self.expect_result()
            return
        commands = [eval(f"({block})") for block in re.findall(r"shell:\n((?:        .*\n)+)", text)]  # noqa: S307
        self.assertEqual(len(commands), 2)
        parts = [f"my study.h5.shards/{task}.h5" for task in range(1, 4)]
        quoted = [f"'{part}'" for part in parts]
        for task, part in enumerate(quoted, 1):
            shard = commands[0].replace("{input:q}", "'my study.json'").replace("{params.part:q}", part)
            shard = shard.replace("{threads}", "1").replace("{wildcards.task}", str(task))
            os.makedirs(self.path("my study.h5.shards"), exist_ok=True)
            self.run_in("sh", "-c", shard.replace("{{", "{").replace("}}", "}"))
        merge = commands[1].replace("{output:q}", "'my study.h5'")
        self.run_in("sh", "-c", merge.replace("{params.parts:q}", " ".join(f"'{part}.parts'" for part in parts)))
        self.expect_result()

    def test_what_cannot_be_shared_is_refused_with_the_remedy(self):
        def refused(words, *arguments, engine="slurm", code=2, **more):
            self.assertIn(words, self.emit(engine, *arguments, code=code, **more).stderr)
        refused("6 tasks or fewer, or for smaller chunks by --set engine.chunk=4", "--set", "engine.chunk=7", tasks="9")
        self.emit("slurm", "--set", "engine.chunk=4", tasks="9")
        refused("the study has 40 instances: ask for fewer tasks", tasks="41")
        refused("at least 2 tasks; one is omniroll run", tasks="1")
        refused("it runs in one process", "--set", 'statistics.stop={"quantity": "mean vibration_rms", "width": 1}')
        refused("a job of aws has at most 10000", engine="aws", tasks="10001")
        for engine, option in (("kubernetes", "--image"), ("kubernetes", "--storage"), ("aws", "--queue")):
            given = NAMED[engine]
            at = given.index(option)
            left = given[:at] + given[at + 2:]
            done = self.run_in(PROGRAM, "plan", "my study.json", "--tasks", "2", "--emit", engine, *left, *CHANGES, code=2)
            self.assertIn(f"--emit {engine} needs {option} NAME", done.stderr)
            self.assertEqual(done.stdout, "")
        plan = (PROGRAM, "plan", "my study.json")
        self.assertIn("expected one of slurm, kubernetes", self.run_in(*plan, "--tasks", "2", "--emit", "loadleveler", code=2).stderr)
        self.assertIn("needs --tasks N", self.run_in(*plan, "--emit", "slurm", code=2).stderr)
        self.assertIn("belong to --emit", self.run_in(*plan, "--queue", "long", code=2).stderr)
        self.write("variants.json", json.dumps({**STUDY, "variants": {"a": {}, "b": {"integrator.step": "2 ms"}}}))
        done = self.run_in(PROGRAM, "plan", "variants.json", "--tasks", "2", "--emit", "slurm", code=2)
        self.assertIn("beginning with --variant a", done.stderr)

    def test_names_end_no_line_and_are_no_options(self):
        def refused(words, *arguments):
            done = self.run_in(PROGRAM, "plan", "--backend", "openmp", "--tasks", "3", *arguments, code=2)
            self.assertIn(words, done.stderr)
            self.assertEqual(done.stdout, "")
        broken = "x\nJOB\ntouch HACKED\ncat <<JOB\n.json"
        for name in (broken, "a{x}.json", "-x.json"):
            shutil.copy(self.path("my study.json"), self.path(name))
        refused("the study's name has the control character \\x0a", *CHANGES, "--emit", "slurm", broken)
        for engine, option in (("slurm", "--queue"), ("kubernetes", "--image"), ("kubernetes", "--storage"), ("aws", "--queue")):
            refused(f"{option} has the control character", *CHANGES, "--emit", engine, *NAMED[engine], option, "a\n#SBATCH --exclusive", "my study.json")
        refused("a value of --set has the control character", *CHANGES, "--set", "engine.chunk=8\n", "--emit", "slurm", "my study.json")
        refused("has braces, which Snakemake takes for wildcards", *CHANGES, "--emit", "snakemake", "a{x}.json")
        script = self.run_in(PROGRAM, "plan", "--backend", "openmp", "--tasks", "3", *CHANGES, "--emit", "snakemake", "--", "-x.json").stdout
        self.assertIn('STUDY = "./-x.json"\nRESULT = "./-x.h5"\n', script)

    def test_the_page_has_every_array_job_and_engine(self):
        with open(os.path.join(ROOT, "docs", "how-to", "cluster-and-shards.md"), encoding="utf-8") as file:
            page = file.read()
        lists = {}
        for name in ("launchers", "job_engines"):
            with open(os.path.join(ROOT, "host", "lists", f"{name}.def"), encoding="utf-8") as file:
                lists[name] = file.read()
        variables = re.findall(r'(?m)^ARRAY\("[^"]*", "(\w+)"', lists["launchers"])
        engines = re.findall(r"(?m)^X\((\w+),", lists["job_engines"])
        self.assertGreater(len(variables), 7)
        self.assertEqual(sorted(engines), sorted(NAMED))
        for word in variables + engines:
            self.assertIn(f"| `{word}` |", page)

    def test_a_plan_of_tasks_tells_their_cost_and_without_them_nothing_new(self):
        plan = (PROGRAM, "plan", "my study.json", "--json", *CHANGES)
        self.assertNotIn("tasks", json.loads(self.run_in(*plan).stdout))
        tasks = json.loads(self.run_in(*plan, "--tasks", "3").stdout)["tasks"]
        self.assertEqual((tasks["tasks"], tasks["chunks"]), (3, 2))
        self.assertGreater(tasks["seconds"], 0)
        self.assertGreater(tasks["assembling_seconds"], 0)
        self.assertIn("tasks        3 of at most 2 chunks", self.run_in(*plan[:3], *CHANGES, "--tasks", "3").stdout)
        stops = ("--tasks", "3", "--set", 'statistics.stop={"quantity": "mean vibration_rms", "width": 1}')
        self.assertIn("tasks        cannot share", self.run_in(*plan[:3], *stops).stdout)
        self.assertIsNone(json.loads(self.run_in(*plan, *stops).stdout)["tasks"])


if __name__ == "__main__":
    sys.exit(unittest.main())
