import assert from "node:assert/strict";
import { join } from "node:path";
import { bundledPath, compiledFolder } from "../../../lib/server/core/config/app_folder.ts";
import { plant, type TemporaryFolder, temporaryFolder } from "../../support/disks/files.ts";
import { fillDisk, mount, smallDisk } from "../../support/disks/small_disk.ts";
import { causesOf } from "../../../lib/server/boot/build.ts";
import { startServer } from "../../support/server/server.ts";

const top = new URL("../../..", import.meta.url).pathname;
const { tasks } = JSON.parse(Deno.readTextFileSync(join(top, "deno.json")));

/** Builds in no time, and counts how often. */
const dev = `
Deno.mkdirSync("_fresh/bundle", { recursive: true });
Deno.writeTextFileSync("_fresh/bundle/server.js", "await 0; throw new Error('It is only compiled');");
Deno.writeTextFileSync("builds", "x", { append: true });
`;
const start = `
import { ensureBuilt } from "./lib/server/boot/build.ts";
await ensureBuilt((text) => console.log(text));
`;

/** A program so small that it is built at once, with the real build around it. */
async function programFolder(given?: TemporaryFolder) {
  const folder = given ?? await temporaryFolder();
  const copy = (room: string, ...names: string[]) =>
    Object.fromEntries(names.map((name) => [
      `${name}.ts`,
      Deno.readTextFileSync(join(top, "lib/server", room, `${name}.ts`)),
    ]));
  const config = copy("core/config", "app_folder", "refusal");
  await plant(folder.path, {
    lib: {
      server: {
        boot: { ...copy("boot", "build", "warm"), "trial.ts": "" },
        core: { config },
      },
    },
    "dev.ts": dev,
    "start.ts": start,
    "deno.json": JSON.stringify({ nodeModulesDir: "manual", tasks: { build: tasks.build } }),
    "deno.lock": JSON.stringify({ version: "5" }),
  });
  const deno = async (...args: string[]) => {
    const command = new Deno.Command(Deno.execPath(), { args, cwd: folder.path });
    const { success, stdout, stderr } = await command.output();
    const decoder = new TextDecoder();
    assert.ok(success, decoder.decode(stderr));
    return decoder.decode(stdout);
  };
  const builds = () => Deno.readTextFileSync(join(folder.path, "builds")).length;
  return { ...folder, deno, builds };
}

Deno.test("of what Deno prints about a failure, the error and its deepest cause are told", () => {
  const downloads = "\x1b[32mDownload\x1b[0m https://registry.test/x\n".repeat(300);
  const untrusted = `${downloads}\x1b[1m\x1b[31merror\x1b[0m: Failed loading https://registry.test/x

Caused by:
    0: error sending request
    1: invalid peer certificate: UnknownIssuer

Stack backtrace:
   0: <unknown>
`;
  assert.deepEqual(causesOf(untrusted), [
    "error: Failed loading https://registry.test/x",
    "caused by: invalid peer certificate: UnknownIssuer",
  ]);
  const thrown = "error: Uncaught (in promise) Error: no\nway\n    at a.ts:1:7\n" +
    "Caused by: Error: deep\n    at a.ts:1:36\n";
  const told = ["error: Uncaught (in promise) Error: no", "caused by: Error: deep"];
  assert.deepEqual(causesOf(thrown), told);
  assert.deepEqual(causesOf("Killed\n"), ["Killed"]);
  assert.equal(causesOf(`error: ${"x".repeat(5000)}`)[0]?.length, 300);
});

Deno.test("a build that fails is told in three lines, and the log has the rest", async () => {
  await using program = await programFolder();
  const failing = "console.log('much\\n'.repeat(400)); throw new Error('no room');";
  Deno.writeTextFileSync(join(program.path, "dev.ts"), failing);
  const { success, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "start.ts"],
    cwd: program.path,
  }).output();
  const text = new TextDecoder().decode(stderr);
  const log = join(program.path, ".cubby-build.log");
  assert.ok(!success);
  assert.match(
    text,
    /Cannot build: "deno run" failed; see ".*\.cubby-build\.log"\nerror: .*no room\n/,
  );
  assert.match(Deno.readTextFileSync(log), /much\nmuch/);
});

/** The lines of a failed build, which are at most three and no stack trace. */
async function failureOf(
  program: Awaited<ReturnType<typeof programFolder>>,
  options: Deno.CommandOptions = {},
): Promise<string[]> {
  const args = ["run", "-A", "--quiet", "lib/server/boot/build.ts"];
  const command = new Deno.Command(Deno.execPath(), { args, cwd: program.path, ...options });
  const { code, stderr } = await command.output();
  const lines = new TextDecoder().decode(stderr).trim().split("\n");
  assert.equal(code, 2, lines.join("\n"));
  assert.ok(lines.length <= 3, lines.join("\n"));
  assert.match(lines[0] ?? "", /^Cannot build: /);
  assert.doesNotMatch(lines.join("\n"), /^ +at /m);
  return lines;
}

Deno.test("a build that cannot write its result is told in a line", async () => {
  await using program = await programFolder();
  await Deno.mkdir(join(program.path, "_fresh/fingerprint"), { recursive: true });
  const [line, ...others] = await failureOf(program);
  assert.match(line ?? "", /_fresh\/fingerprint/);
  assert.deepEqual(others, []);
});

Deno.test({
  name: "a build on a disk that is full or read-only is told, also where no log can be written",
  ignore: Deno.build.os !== "linux" || Deno.uid() !== 0,
  async fn() {
    await using program = await programFolder(await smallDisk("size=1m"));
    fillDisk(join(program.path, "full"));
    assert.match((await failureOf(program)).join("\n"), /no space left on device/i);
    await mount("-o", "remount,ro", program.path);
    const [line, ...others] = await failureOf(program);
    assert.match(
      line ?? "",
      /the folder ".*" cannot be written; run it as the account that owns it/,
    );
    assert.deepEqual(others, []);
  },
});

Deno.test("a start after deno task build builds nothing until a source changes", async () => {
  await using program = await programFolder();
  assert.match(await program.deno("task", "build"), /^1 of 4: .*\n2 of 4: .*\n(.*\n)*Built in /);
  assert.equal(await program.deno("run", "-A", "start.ts"), "");
  assert.equal(program.builds(), 1);
  const compiled = [...Deno.readDirSync(join(program.path, "_fresh/deno"))].map(({ name }) => name);
  const caches = compiled.filter((name) => name.endsWith("_cache_v2"));
  assert(caches.length > 0);
  // Without these, a server that may not write there opens none of them.
  for (const name of caches.flatMap((cache) => [`${cache}-wal`, `${cache}-shm`])) {
    assert(compiled.includes(name), name);
  }

  Deno.writeTextFileSync(join(program.path, "lib", "new.ts"), "");
  assert.match(
    await program.deno("run", "-A", "start.ts"),
    /^Building.*\n1 of 4: .*\n(.*\n)*Built in /,
  );
  assert.equal(await program.deno("run", "-A", "start.ts"), "");
  assert.equal(program.builds(), 2);
});

Deno.test("deno task build builds anew even if nothing has changed", async () => {
  await using program = await programFolder();
  for (const count of [1, 2]) {
    await program.deno("task", "build");
    assert.equal(program.builds(), count);
  }
});

Deno.test({
  name: "a server takes the compiled code of the build",
  ignore: Deno.build.os !== "linux",
  async fn() {
    await using server = await startServer();
    const line = await Deno.readTextFile(`/proc/${server.pid}/cmdline`);
    const [program = "", ...words] = line.split("\0").filter(Boolean);
    const args = words.filter((word) => word !== "--quiet");
    assert.equal(args.at(-1), bundledPath("lib/server/boot/serve.ts"));
    await using folder = await temporaryFolder();
    const cache = join(folder.path, "deno");
    await new Deno.Command("cp", { args: ["-R", compiledFolder, cache] }).output();
    // Deno tells which code it takes from the cache, and which it compiles in its place.
    const { stderr } = await new Deno.Command(program, {
      args,
      cwd: top,
      env: { DENO_DIR: cache, DENO_LOG: "debug" },
    }).output();
    const lines = new TextDecoder().decode(stderr).split("\n").filter((line) =>
      line.includes("V8 code cache") && line.includes("/_fresh/bundle/")
    );
    assert(lines.some((line) => line.includes("cache hit")));
    assert.deepEqual(lines.filter((line) => line.includes("Updating")), []);
  },
});
