import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../../support/disks/files.ts";
import { startProbe } from "../../support/probes/probe_server.ts";

const launcher = new URL("../../../lib/server/boot/launch.ts", import.meta.url).pathname;
const probeLauncher = new URL("../../support/probes/launch_probe.ts", import.meta.url).pathname;

/** Ends a start that was to be refused and was not. It is longer than a build takes. */
const limitMs = 180_000;

interface Outcome {
  code: number;
  stdout: string;
  stderr: string;
}

/** Runs the launcher in an empty folder until it ends by itself. */
async function launch(args: string[], script = launcher): Promise<Outcome> {
  await using folder = await temporaryFolder();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", script, ...args],
    cwd: folder.path,
    env: { INIT_CWD: folder.path, HOME: folder.path, NO_COLOR: "1" },
    signal: AbortSignal.timeout(limitMs),
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Refused with status 2 and one line, without a stack. */
async function refuses(args: string[], line: RegExp, script = launcher): Promise<void> {
  const { code, stdout, stderr } = await launch(args, script);
  assert.equal(code, 2, stderr);
  assert.equal(stdout, "");
  assert.match(stderr, line);
  assert.equal(stderr.trimEnd().split("\n").length, 1, stderr);
}

Deno.test("a start with a wrong setting ends with status 2 and one line", async () => {
  await refuses(["--rot", "x"], /^Cannot use --rot: no such flag; see --help$/m);
  await refuses(["--port", "eighty"], /^Cannot use --port "eighty": expected a whole number/);
  await refuses(["--root", "gone"], /^Cannot serve "gone": the folder does not exist$/m);
  await refuses(["--address", "0.0.0.0", "--noauth"], /^Cannot use noauth on "0\.0\.0\.0": /);
});

Deno.test("a start whose data cannot be written ends with status 2 and one line", async () => {
  await refuses(["--database", "/proc/x.kv"], /^Cannot use the database "\/proc\/x\.kv": /);
  const args = ["--database", ":memory:", "--cache-dir", "/proc/cache"];
  await refuses(args, /^Cannot keep the cache in "\/proc\/cache": /);
});

Deno.test("a start on a port or an address that is not to be had ends with status 2", async () => {
  using listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr;
  await refuses(["--port", String(port)], / port \d+: the port is in use$/m);
  await refuses(["--address", "192.0.2.1", "--port", "0"], /: the address does not belong to/);
});

Deno.test("two servers with several threads do not share a port unnoticed", async () => {
  await using probe = await startProbe({ workers: 2 });
  const { port } = new URL(probe.url);
  await refuses(["5000", "--port", port, "--workers", "2"], /the port is in use$/m, probeLauncher);
});

Deno.test("a database that is another program's file is refused and left as it is", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "filebrowser.db");
  await Deno.writeTextFile(path, "something else entirely");
  const args = ["5000", "--port", "0", "--database", path];
  await refuses(args, /: it is not a store of this program$/m, probeLauncher);
  assert.equal(await Deno.readTextFile(path), "something else entirely");
});

Deno.test("a first password that is too weak is refused in one line by the server process", async () => {
  const { code, stderr } = await launch(["--port", "0", "--password", "short"]);
  assert.equal(code, 2, stderr);
  // A stale build tells of itself before.
  assert.match(stderr.trimEnd().split("\n").at(-1) ?? "", /password/i);
  assert.doesNotMatch(stderr, /^ +at /m);
});

Deno.test("a start with commands on, and the store in the served folder, ends with status 2 and one line", async () => {
  const on = ["--port", "0", "--disable-exec=false"];
  const line =
    /^Cannot allow commands: the served folder ".*" holds the database ".*filebrowser\.kv"/;
  await refuses(on, line);
  await refuses([...on, "--exec-sandbox=none"], line);
  await refuses(
    ["5000", ...on, "--database", ":memory:"],
    /the cache ".*" and the place/,
    probeLauncher,
  );
});

Deno.test("--help and --version answer without starting anything", async () => {
  const help = await launch(["--help"]);
  assert.deepEqual([help.code, help.stderr], [0, ""]);
  assert.match(help.stdout, /^ {2}-a, --address ADDRESS +address to listen on/m);
  const version = await launch(["--version"]);
  assert.match(version.stdout, /^Cubby \d+\.\d+\.\d+ \(Deno \d/);
});
