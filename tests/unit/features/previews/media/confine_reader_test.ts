import assert from "node:assert/strict";
import { basename, join } from "node:path";
import { fileURLToPath } from "node:url";
import {
  officeLimits,
  readerLimits,
} from "../../../../../lib/server/features/previews/media/programs/limits.ts";
import { plant, temporaryFolder } from "../../../../support/disks/files.ts";
import { uniqueSleep, untilSleepers } from "../../../../support/probes/processes.ts";

const confine = fileURLToPath(
  new URL(
    "../../../../../lib/server/features/previews/media/programs/confine_reader.ts",
    import.meta.url,
  ),
);

/** Stands for the folder of programs of an installation of its own, as of LibreOffice in /opt. */
const OWN = "OWN";

/** Runs any program as ffmpeg is run, on one open file in a folder with others. */
const run = (program: string, ...args: string[]) => runConfined({}, program, ...args);

/** Runs any program as LibreOffice is run: with the folder SCRATCH, in which it may write. */
const runInScratch = (program: string, ...args: string[]) =>
  runConfined({ hasScratch: true }, program, ...args);

/** Reads the input, and becomes the program. */
const started = 'input=$1; shift; exec "$@" <"$input"';

async function runConfined(
  { hasScratch = false, encoder }: { hasScratch?: boolean; encoder?: string },
  program: string,
  ...args: string[]
) {
  await using folder = await temporaryFolder();
  await plant(folder.path, { "input.txt": "the input", "other.txt": "a secret" });
  Deno.chmodSync(join(folder.path, "input.txt"), 0o600);
  const scratch = join(folder.path, "scratch");
  Deno.mkdirSync(scratch);
  const own = join(folder.path, "office", "program");
  await plant(folder.path, { office: { "settings.txt": "its own", program: {} } });
  if (program.startsWith(OWN)) {
    Deno.copyFileSync(real(`/bin/${basename(program)}`), join(own, basename(program)));
  }
  const confinement = {
    program: program.replace(OWN, own),
    limits: hasScratch ? officeLimits : readerLimits,
    ...encoder !== undefined && { encoder },
    ...hasScratch && { scratch: { folder: scratch, input: "input.odt" } },
  };
  const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
    args: [
      ...["-c", started, "sh", join(folder.path, "input.txt")],
      ...[Deno.execPath(), "run", "--quiet", "--no-config", "--no-lock", "--allow-all", confine],
      JSON.stringify({
        ...confinement,
        args: args.map((arg) => arg.replace("FOLDER", folder.path).replace("SCRATCH", scratch)),
      }),
    ],
  }).output();
  const text = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
  return { code, output: text(stdout), complaint: text(stderr) };
}

const real = (path: string) => Deno.realPathSync(path);
const [cat, sh] = [real("/bin/cat"), real("/bin/sh")];
/** Runs a line in a shell that can only use what is built in. */
const shell = (line: string) => run(sh, "-c", line);

Deno.test("a confined program reads its input, again and from the start", async () => {
  const { code, output, complaint } = await run(cat, "-", "/proc/self/fd/0");
  assert.deepEqual([code, output], [0, "the inputthe input"], complaint);
});

for (const path of ["FOLDER/other.txt", "FOLDER", "/etc/passwd", "/proc/1/environ", "/root"]) {
  Deno.test(`a confined program does not read ${path}`, async () => {
    const { code, output, complaint } = await run(cat, path);
    assert.deepEqual([code, output], [1, ""]);
    assert.match(complaint, /Permission denied/);
  });
}

for (const encoder of ["h264_vaapi", "h264_qsv", "h264_nvenc", "h264_v4l2m2m"]) {
  Deno.test(`a program that encodes by ${encoder} reaches no files and no other devices`, async () => {
    for (const path of ["FOLDER/other.txt", "/etc/passwd", "/proc/1/environ", "/dev/full"]) {
      const { code, output, complaint } = await runConfined({ encoder }, cat, path);
      assert.deepEqual([code, output], [1, ""], path);
      assert.match(complaint, /Permission denied/, path);
    }
    for (const path of ["FOLDER/new", "/dev/full", "/dev/shm/cubby-new"]) {
      const { complaint } = await runConfined({ encoder }, sh, "-c", `echo x > ${path}`);
      assert.match(complaint, /Permission denied/, path);
    }
    const { output } = await runConfined({ encoder }, cat, "-");
    assert.equal(output, "the input");
  });
}

Deno.test("a confined program writes nothing, not over its input either", async () => {
  for (const path of ["FOLDER/new", "/tmp/cubby-new", "/proc/self/fd/0", "FOLDER/other.txt"]) {
    const { code, complaint } = await run(sh, "-c", `echo x > ${path}`);
    assert.notEqual(code, 0, path);
    assert.match(complaint, /Permission denied|cannot create/i);
  }
});

Deno.test("a confined program starts no process, and becomes no other program", async () => {
  const forked = await shell("(echo child) & wait; echo $(echo inner)");
  assert.doesNotMatch(forked.output, /child|inner/);
  assert.match(forked.complaint, /fork/i);
  const other = await shell("exec /bin/ls /");
  assert.equal(other.output, "");
  assert.match(other.complaint, /Permission denied/);
});

Deno.test("a confined program signals none but itself", async () => {
  const victim = new Deno.Command("sleep", { args: ["60"] }).spawn();
  const { complaint } = await shell(`kill -9 ${victim.pid}`);
  assert.match(complaint, /not permitted/i);
  victim.kill("SIGKILL");
  assert.equal((await victim.status).signal, "SIGKILL");
});

Deno.test("a confined program opens no socket", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const ffmpeg = await run(
    real("/usr/bin/ffmpeg"),
    ...["-v", "error", "-i", `tcp://127.0.0.1:${port}`, "-f", "null", "-"],
  );
  assert.notEqual(ffmpeg.code, 0);
  assert.match(ffmpeg.complaint, /not permitted/i);
});

Deno.test("a program with a folder of its own finds its input and its settings in it", async () => {
  const input = await runInScratch(cat, "SCRATCH/input.odt");
  assert.deepEqual([input.code, input.output], [0, "the input"], input.complaint);
  const settings = await runInScratch(cat, "SCRATCH/profile/user/registrymodifications.xcu");
  assert.match(settings.output, /DisableMacrosExecution"[^>]*><value>true</);
  const written = await runInScratch(
    sh,
    "-c",
    'cd "$1" && echo made >x && read y <x && echo $y',
    "sh",
    "SCRATCH/made",
  );
  assert.equal(written.output, "made\n", written.complaint);
});

Deno.test("a program with a folder of its own reads and writes nothing else", async () => {
  for (const path of ["FOLDER/other.txt", "/etc/passwd", "/proc/1/environ", "/proc/self/fd/0"]) {
    const { code, complaint } = await runInScratch(cat, path);
    assert.equal(code, 1, path);
    assert.match(complaint, /Permission denied/);
  }
  for (const path of ["FOLDER/new", "/tmp/cubby-new", "FOLDER/other.txt"]) {
    const { code } = await runInScratch(sh, "-c", `echo x > ${path}`);
    assert.notEqual(code, 0, path);
  }
});

Deno.test("a program that is installed by itself reads its installation, and nothing beside it", async () => {
  const own = await runInScratch(`${OWN}/cat`, "FOLDER/office/settings.txt");
  assert.deepEqual([own.code, own.output], [0, "its own"], own.complaint);
  for (const path of ["FOLDER/other.txt", "/opt"]) {
    const { complaint } = await runInScratch(`${OWN}/cat`, path);
    assert.match(complaint, /Permission denied/, path);
  }
});

Deno.test("a program with a folder of its own makes no links, from which its result would be read", async () => {
  const ln = real("/bin/ln");
  for (const kind of ["-sT", "-T"]) {
    const { code } = await runInScratch(ln, kind, "FOLDER/other.txt", "SCRATCH/made/input.pdf");
    assert.notEqual(code, 0, kind);
  }
});

Deno.test("a program with a folder of its own connects nowhere", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  const { code, complaint } = await runInScratch(
    real("/usr/bin/ffmpeg"),
    ...["-v", "error", "-i", `tcp://127.0.0.1:${port}`, "-f", "null", "-"],
  );
  assert.notEqual(code, 0);
  assert.match(complaint, /not supported|not permitted/i);
});

Deno.test("a confined program ends with its host, when that is killed, too", async () => {
  const time = uniqueSleep();
  const confinement = { program: real("/bin/sleep"), args: [time], limits: readerLimits };
  const host = new Deno.Command("/bin/sh", {
    args: [
      // It waits for what it has started.
      ...["-c", '"$@" </dev/null; true', "sh", Deno.execPath(), "run", "--quiet", "--no-config"],
      ...["--no-lock", "--allow-all", confine, JSON.stringify(confinement)],
    ],
  }).spawn();
  await untilSleepers(time, 1);
  host.kill("SIGKILL");
  await host.status;
  await untilSleepers(time, 0);
});
