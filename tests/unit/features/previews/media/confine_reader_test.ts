import assert from "node:assert/strict";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { readerLimits } from "../../../../../lib/server/features/previews/media/programs/limits.ts";
import { plant, temporaryFolder } from "../../../../support/disks/files.ts";

const confine = fileURLToPath(
  new URL(
    "../../../../../lib/server/features/previews/media/programs/confine_reader.ts",
    import.meta.url,
  ),
);

/** Runs any program as ffmpeg is run, on one open file in a folder with others. */
async function run(program: string, ...args: string[]) {
  await using folder = await temporaryFolder();
  await plant(folder.path, { "input.txt": "the input", "other.txt": "a secret" });
  Deno.chmodSync(join(folder.path, "input.txt"), 0o600);
  const confinement = { program, args, limits: readerLimits };
  const { code, stdout, stderr } = await new Deno.Command("/bin/sh", {
    args: [
      ...["-c", 'input=$1; shift; exec "$@" <"$input"', "sh", join(folder.path, "input.txt")],
      ...[Deno.execPath(), "run", "--quiet", "--no-config", "--no-lock", "--allow-all", confine],
      JSON.stringify({
        ...confinement,
        args: args.map((arg) => arg.replace("FOLDER", folder.path)),
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
