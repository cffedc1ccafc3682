/** Stores that no program can use are refused at the start, in one line that tells the remedy. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { migrations } from "../../lib/server/core/kv/schema.ts";
import { openStore, type Store } from "../../lib/server/core/kv/store.ts";
import { type TemporaryFolder, temporaryFolder } from "../support/disks/files.ts";
import { fillDisk, mount, smallDisk } from "../support/disks/small_disk.ts";

const top = new URL("../..", import.meta.url).pathname;
const programs = {
  start: ["lib/server/boot/launch.ts", "--port", "0"],
  cubby: ["lib/server/cli/cubby.ts", "users", "ls"],
};

/** The same, with a command that makes a store. */
const making = { ...programs, cubby: ["lib/server/cli/cubby.ts", "config", "set", "--signup"] };

/** Ends a program that waits for ever. It is longer than a refusal takes on a busy machine. */
const limitMs = 60_000;

/** Runs a program on a store, in an empty folder. */
async function run(args: string[], database: string) {
  await using folder = await temporaryFolder();
  const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
    args: ["run", "-A", "--cached-only", ...args, "--database", database],
    cwd: top,
    env: { INIT_CWD: folder.path, HOME: folder.path, NO_COLOR: "1" },
    signal: AbortSignal.timeout(limitMs),
  }).output();
  const decoder = new TextDecoder();
  return { code, stdout: decoder.decode(stdout), stderr: decoder.decode(stderr) };
}

/** Both programs end with status 2 and one line that names the file, and leave the file as it is. */
async function assertRefused(
  database: string,
  line: RegExp,
  started: Record<string, string[]> = programs,
): Promise<void> {
  for (const [name, args] of Object.entries(started)) {
    const { code, stdout, stderr } = await run(args, database);
    assert.equal(code, 2, `${name}: ${stderr}`);
    assert.equal(stdout, "", name);
    assert.equal(stderr.trimEnd().split("\n").length, 1, `${name}: ${stderr}`);
    assert.ok(stderr.startsWith(`Cannot use the database "${database}": `), `${name}: ${stderr}`);
    assert.match(stderr, line, name);
  }
}

/** A closed store with some hundred kilobytes of records. */
async function plantStore(folder: TemporaryFolder): Promise<string> {
  const path = join(folder.path, "cubby.kv");
  const store = await openStore(path);
  await fill(store);
  store.close();
  return path;
}

async function fill(store: Store): Promise<void> {
  for (let record = 0; record < 100; record++) {
    const bytes = crypto.getRandomValues(new Uint8Array(3_000));
    await store.atomic((operation) => operation.set(["filler", record], bytes));
  }
}

Deno.test("a pipe, a socket, a device or a folder is no store", async () => {
  await using folder = await temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  await new Deno.Command("mkfifo", { args: [at("pipe")] }).output();
  using _listener = Deno.listen({ transport: "unix", path: at("socket") });
  await Deno.mkdir(at("folder"));
  await assertRefused(at("pipe"), /: it is a pipe; name a file with --database$/m);
  await assertRefused(at("socket"), /: it is a socket; name a file with --database$/m);
  await assertRefused(at("folder"), /: it is a folder; name a file with --database$/m);
  await assertRefused("/dev/null", /: it is a device; name a file with --database$/m);
});

Deno.test("a pipe or a folder in place of the log beside a store is refused", async () => {
  await using folder = await temporaryFolder();
  const path = await plantStore(folder);
  await new Deno.Command("mkfifo", { args: [`${path}-wal`] }).output();
  await assertRefused(path, /"[^"]+-wal" beside it is a pipe; remove that/);
  await Deno.remove(`${path}-wal`);
  await Deno.mkdir(`${path}-shm`);
  await assertRefused(path, /"[^"]+-shm" beside it is a folder; remove that/);
});

Deno.test("an empty or a missing file beside a full log becomes no new store", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "cubby.kv");
  const open = await openStore(join(folder.path, "open.kv"));
  await fill(open);
  await Deno.copyFile(join(folder.path, "open.kv-wal"), `${path}-wal`);
  open.close();
  const log = await Deno.readFile(`${path}-wal`);
  assert.ok(log.length > 100_000);

  const line = /: it is empty or gone, but "[^"]+-wal" of a store lies beside it; restore the file/;
  await assertRefused(path, line);
  assert.throws(() => Deno.statSync(path), Deno.errors.NotFound);
  await Deno.writeFile(path, new Uint8Array());
  await assertRefused(path, line);
  assert.deepEqual(await Deno.readFile(`${path}-wal`), log);
  assert.equal(Deno.statSync(path).size, 0);
});

Deno.test("an empty file with nothing beside it, or an empty log, becomes a new store", async () => {
  await using folder = await temporaryFolder();
  const path = join(folder.path, "cubby.kv");
  for (const beside of [[], ["-wal", "-shm"]]) {
    for (const end of ["", ...beside]) await Deno.writeFile(path + end, new Uint8Array());
    const { code, stderr } = await run(making.cubby, path);
    assert.equal(code, 0, stderr);
    await Deno.remove(path);
  }
});

Deno.test("a store of noise, cut off or with damaged pages is refused and left as it is", async () => {
  await using folder = await temporaryFolder();
  const path = await plantStore(folder);
  const whole = await Deno.readFile(path);
  assert.ok(whole.length > 300_000);
  const damaged = /: the file is damaged or was cut off; restore it from a backup/;
  const half = Math.floor(whole.length / 4096 / 2) * 4096;

  const noise = whole.slice();
  for (let at = half; at < noise.length; at += 4096) {
    crypto.getRandomValues(noise.subarray(at, at + 4096));
  }
  for (const bytes of [whole.slice(0, 30), whole.slice(0, 5_000), whole.slice(0, half), noise]) {
    await Deno.writeFile(path, bytes);
    await assertRefused(path, damaged);
    assert.deepEqual(await Deno.readFile(path), bytes);
  }
  await Deno.writeFile(path, noise.subarray(half));
  await assertRefused(path, /: it is not a store of this program$/m);

  for (const end of ["-wal", "-shm"]) await Deno.remove(path + end);
  await Deno.writeFile(path, whole);
  assert.equal((await run(programs.cubby, path)).code, 0, "once it is restored");
});

Deno.test("a store in a folder that cannot be written is refused", async () => {
  await assertRefused(
    "/proc/x.kv",
    /: the file or its folder cannot be written; give the server's/,
    making,
  );
});

Deno.test({
  name: "a store on a disk that is read-only is refused",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using disk = await smallDisk("size=4m");
    const path = await plantStore(disk);
    await mount("-o", "remount,ro", disk.path);
    await assertRefused(
      path,
      /: the file or its folder cannot be written; give the server's account/,
    );
  },
});

Deno.test({
  name: "a store on a full disk is refused, a new one too",
  ignore: Deno.uid() !== 0,
  async fn() {
    await using disk = await smallDisk("size=4m");
    const path = await plantStore(disk);
    fillDisk(join(disk.path, "filler"));
    await assertRefused(path, /: its disk is full/);
    await assertRefused(join(disk.path, "new.kv"), /: its disk is full/, making);
  },
});

Deno.test("a store that a newer program wrote is refused", async () => {
  await using folder = await temporaryFolder();
  const path = await plantStore(folder);
  const store = await openStore(path);
  await store.atomic((operation) => operation.set(["schema"], migrations.length + 1));
  store.close();
  await assertRefused(path, /: its schema is version \d+, this program knows \d+; a newer version/);
});
