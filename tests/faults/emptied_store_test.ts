/** A store that was cut to nothing: never replaced by a new one beside what belongs to it. */
import assert from "node:assert/strict";
import { join } from "node:path";
import { temporaryFolder } from "../support/disks/files.ts";
import { startServer } from "../support/server/server.ts";

const top = new URL("../..", import.meta.url).pathname;

/** Ends a program that waits for ever. It is longer than a refusal takes on a busy machine. */
const limitMs = 60_000;

const programs = {
  start: ["lib/server/boot/launch.ts", "--port", "0"],
  users: ["lib/server/cli/cubby.ts", "users", "ls"],
  doctor: ["lib/server/cli/cubby.ts", "doctor"],
};

/** Each program ends with status 2 and one line that names the file, which stays empty. */
async function assertRefused(
  { database, root, flags = [] }: { database: string; root: string; flags?: string[] },
  sign: RegExp,
): Promise<void> {
  for (const [name, args] of Object.entries(programs)) {
    const isServer = name === "start";
    const { code, stdout, stderr } = await new Deno.Command(Deno.execPath(), {
      args: [
        ...["run", "-A", "--cached-only", ...args, "--database", database, "--root", root],
        ...isServer ? flags : [],
      ],
      cwd: top,
      env: { INIT_CWD: root, HOME: root, NO_COLOR: "1", FB_CACHE_DIR: "" },
      signal: AbortSignal.timeout(limitMs),
    }).output();
    const lines = new TextDecoder().decode(stderr).trimEnd();
    assert.equal(code, 2, `${name}: ${lines} ${new TextDecoder().decode(stdout)}`);
    assert.equal(lines.split("\n").length, 1, `${name}: ${lines}`);
    assert.ok(lines.startsWith(`Cannot use the database "${database}": it is empty, but "`), lines);
    assert.match(lines, sign, name);
    assert.equal((await Deno.stat(database)).size, 0, name);
  }
}

/** Folders for a server whose cache lies beside the store. */
async function folders() {
  const folder = await temporaryFolder();
  const [data, root] = ["data", "root"].map((name) => join(folder.path, name));
  for (const path of [data, root]) await Deno.mkdir(path ?? "");
  return {
    data: data ?? "",
    root: root ?? "",
    database: join(data ?? "", "cubby.kv"),
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

Deno.test("an emptied store is refused where a server has run on it, until its file is removed", async () => {
  await using places = await folders();
  const options = {
    ...places,
    flags: ["--cache-dir", join(places.data, ".cubby-cache")],
  };
  await (await startServer(options)).stop();
  await Deno.truncate(places.database);
  for (const end of ["-wal", "-shm"]) await Deno.remove(places.database + end).catch(() => {});
  await assertRefused(places, /\.cubby-cache\/store-[0-9a-f]+" is left of a store; restore it/);

  await Deno.remove(places.database);
  const again = await startServer(options);
  assert.match(again.output(), /^Listening on /m);
  await again.stop();
});

Deno.test("an emptied store is refused beside the trash of the served folder", async () => {
  await using places = await folders();
  await Deno.mkdir(join(places.root, ".cubby-trash"));
  await Deno.writeFile(places.database, new Uint8Array());
  await assertRefused(places, /\/root\/\.cubby-trash" is left of a store/);
});

Deno.test("an emptied store is refused beside a backup, which a restore puts in place", async () => {
  await using places = await folders();
  const cubby = async (...args: string[]) => {
    const { code, stderr } = await new Deno.Command(Deno.execPath(), {
      args: ["run", "-A", "--cached-only", "lib/server/cli/cubby.ts", ...args],
      cwd: top,
      env: { INIT_CWD: places.data, HOME: places.data, FB_DATABASE: places.database },
      signal: AbortSignal.timeout(limitMs),
    }).output();
    assert.equal(code, 0, new TextDecoder().decode(stderr));
  };
  await cubby("users", "add", "anna", "a fox sleeps under 9 stars");
  await cubby("backup", "cubby-monday.kv");
  for (const end of ["", "-wal", "-shm"]) {
    await Deno.writeFile(places.database + end, new Uint8Array());
  }
  await assertRefused(places, /\/data\/cubby-monday\.kv" is left of a store/);
  await cubby("restore", "cubby-monday.kv");
  await cubby("users", "find", "anna");
});

Deno.test("a first start works on an empty file beside other stores and an empty cache", async () => {
  await using places = await folders();
  await Deno.mkdir(join(places.data, "cache"));
  await Deno.writeFile(places.database, new Uint8Array());
  await Deno.writeTextFile(join(places.data, "other.kv"), "SQLite format 3\0");
  await Deno.writeTextFile(join(places.data, "cubby.txt"), "notes");
  const server = await startServer(places);
  assert.match(server.output(), /^Listening on /m);
  await server.stop();
});
