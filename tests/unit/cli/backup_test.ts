import assert from "node:assert/strict";
import { join } from "node:path";
import { migrations } from "../../../lib/server/core/kv/schema.ts";
import { settledRecords } from "../../../lib/server/core/kv/snapshot.ts";
import { openStore } from "../../../lib/server/core/kv/store.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";
import { activeJobs, jobParts, jobRecords } from "../../../lib/server/features/jobs/job_records.ts";
import { backupMark, schemaVersion } from "../../../lib/server/core/kv/server_records.ts";
import { sessionRecords } from "../../../lib/server/features/accounts/users/user_records.ts";

const password = "a fox sleeps under 9 stars";

async function deskWithUsers(...names: string[]): Promise<TestTerminal> {
  const terminal = await openTerminal();
  for (const name of names) await terminal.ok("users", "add", name, password);
  return terminal;
}

/** The names of the users in a store. */
async function usersOf(terminal: TestTerminal, database = terminal.database): Promise<string[]> {
  const lines = await terminal.ok("users", "ls", "--database", database);
  return lines.slice(1).map((line) => line.split(/ +/)[1] ?? "");
}

/** Asserts that a command is refused with one line, and that its folder has the same files after. */
async function assertRefused(
  terminal: TestTerminal,
  args: string[],
  reason: RegExp,
): Promise<void> {
  const files = () => [...Deno.readDirSync(terminal.folder)].map(({ name }) => name).sort();
  // Looking into a store leaves SQLite's own files beside it.
  const data = () =>
    [...Deno.readDirSync(join(terminal.folder, "data"))].map(({ name }) => name)
      .filter((name) => !/^records\.kv-(?:wal|shm)$/.test(name)).sort();
  const before = [files(), data()];
  const { status, warned, printed } = await terminal.run(...args);
  assert.notEqual(status, 0);
  assert.deepEqual(printed, []);
  assert.equal(warned.length, 1, warned.join("\n"));
  assert.match(warned[0] ?? "", reason);
  assert.doesNotMatch(warned[0] ?? "", /\n/);
  assert.deepEqual([files(), data()], before);
}

Deno.test("backup records in the store when it was written, for the server check", async () => {
  await using terminal = await deskWithUsers("anna");
  const before = Date.now();
  await terminal.ok("backup", "a.kv");
  const store = await openStore(terminal.database);
  const mark = await backupMark.get(store);
  store.close();
  assert.ok(mark !== null && mark.at >= before && mark.at <= Date.now(), JSON.stringify(mark));
});

Deno.test("backup refuses what it would replace, folders that are not there, and no store", async () => {
  await using terminal = await openTerminal();
  await assertRefused(terminal, ["backup", "a.kv"], /^Cannot back up: there is no store in /);
  await terminal.ok("users", "add", "anna", password);
  Deno.writeTextFileSync(join(terminal.folder, "mine.txt"), "mine");
  await assertRefused(terminal, ["backup"], /the file is missing/);
  await assertRefused(terminal, ["backup", "a", "b"], /one file is enough/);
  await assertRefused(terminal, ["backup", "mine.txt"], /it exists already$/);
  await assertRefused(terminal, ["backup", "no/a.kv"], /its folder does not exist$/);
  await assertRefused(terminal, ["backup", "data/records.kv"], /it exists already$/);
  await assertRefused(terminal, ["backup", "root/a.kv"], /it lies in the served folder/);
  await assertRefused(terminal, ["backup", "a.kv", "--database", ":memory:"], /only in memory$/);
  assert.equal(Deno.readTextFileSync(join(terminal.folder, "mine.txt")), "mine");
});

Deno.test("backup copies the store while it is written, privately, and as a store of its own", async () => {
  await using terminal = await deskWithUsers("anna");
  const store = await openStore(terminal.database);
  let isOver = false;
  let count = 0;
  // Two records that always change together: a copy with unequal ones is of no one moment.
  const writing = (async () => {
    while (!isOver) {
      count++;
      await store.atomic((all) => all.set(["favorites", 1], count).set(["recent", 1], count));
    }
  })();
  try {
    for (let round = 0; round < 5; round++) {
      const name = `copy ${round}.kv`;
      const [told] = await terminal.ok("backup", name);
      assert.match(told ?? "", /^Wrote \d+ records, 1 users among them, into "copy \d\.kv"/);
      const path = join(terminal.folder, name);
      assert.equal((Deno.statSync(path).mode ?? 0) & 0o777, 0o600);
      const copy = await openStore(path);
      const [one, other] = await copy.getMany([["favorites", 1], ["recent", 1]]);
      copy.close();
      assert.equal(one.value, other.value);
    }
  } finally {
    isOver = true;
    await writing;
    store.close();
  }
  assert.ok(count > 5, "it was written meanwhile");
  assert.deepEqual(await usersOf(terminal, join(terminal.folder, "copy 4.kv")), ["anna"]);
});

Deno.test("backup of a former version's store can be restored by that version", async () => {
  await using terminal = await deskWithUsers("anna");
  await setSchema(terminal.database, 1);
  await terminal.ok("backup", "former.kv");
  const copy = await openStore(join(terminal.folder, "former.kv"), { keepsSchema: true });
  assert.equal((await copy.get(schemaVersion.key())).value, 1);
  copy.close();
  await terminal.ok("restore", "former.kv", "--overwrite");
  assert.deepEqual(await usersOf(terminal), ["anna"]);
});

async function setSchema(path: string, version: number): Promise<void> {
  const store = await openStore(path, { keepsSchema: true });
  await store.atomic((operation) => operation.set(schemaVersion.key(), version));
  store.close();
}

Deno.test("backup refuses a damaged store with one line, and leaves nothing", async () => {
  await using terminal = await deskWithUsers("anna");
  const bytes = Deno.readFileSync(terminal.database);
  Deno.writeFileSync(terminal.database, bytes.fill(0xff, 5_000, 9_000));
  await assertRefused(terminal, ["backup", "a.kv"], /damaged/);
});

Deno.test("restore refuses a backup that is damaged, cut off, foreign or of a newer program", async () => {
  await using terminal = await deskWithUsers("anna");
  await terminal.ok("backup", "good.kv");
  const good = Deno.readFileSync(join(terminal.folder, "good.kv"));
  const write = (name: string, bytes: Uint8Array) =>
    Deno.writeFileSync(join(terminal.folder, name), bytes);
  write("cut.kv", good.subarray(0, good.length / 2));
  write("flipped.kv", good.slice().fill(0xff, 5_000, 9_000));
  write("empty.kv", new Uint8Array());
  write("text.kv", new TextEncoder().encode("no store\n".repeat(999)));
  const newer = await openStore(join(terminal.folder, "newer.kv"));
  await newer.atomic((operation) =>
    operation.set(["user_roster"], { nextId: 2, users: 1, admins: 1 })
  );
  await newer.atomic((operation) => operation.set(schemaVersion.key(), migrations.length + 1));
  newer.close();
  (await openStore(join(terminal.folder, "nobody.kv"))).close();

  const refusals: [name: string, reason: RegExp][] = [
    ["gone.kv", /it does not exist or cannot be read/],
    ["root", /it is not a file$/],
    ["cut.kv", /is damaged or not a store/],
    ["flipped.kv", /is damaged or not a store/],
    ["text.kv", /is damaged or not a store/],
    ["empty.kv", /it has no users/],
    ["nobody.kv", /it has no users/],
    ["newer.kv", /a newer version of the program wrote it/],
    ["data/records.kv", /it is the store itself$/],
  ];
  for (const [name, reason] of refusals) {
    await assertRefused(terminal, ["restore", name, "--overwrite"], reason);
    assert.deepEqual(await usersOf(terminal), ["anna"], name);
  }
});

Deno.test("restore refuses a store that is there, and one that a server has open", async () => {
  await using terminal = await deskWithUsers("anna");
  await terminal.ok("backup", "a.kv");
  await assertRefused(terminal, ["restore", "a.kv"], /the store exists; --overwrite replaces it/);
  const store = await openStore(terminal.database);
  try {
    await assertRefused(terminal, ["restore", "a.kv", "--overwrite"], /uses it$/);
  } finally {
    store.close();
  }
});

Deno.test("restore puts a backup in place, and keeps the former store beside it", async () => {
  await using terminal = await deskWithUsers("anna", "bert");
  await terminal.ok("backup", "a.kv");
  await terminal.ok("users", "add", "cora", password);
  await terminal.ok("users", "rm", "bert");
  const [told = "", kept = ""] = await terminal.ok("restore", "a.kv", "--overwrite");
  assert.match(told, /^Restored \d+ records, 2 users among them; all users have to sign in again$/);
  assert.deepEqual(await usersOf(terminal), ["anna", "bert"]);
  const [, former = ""] = /^The former store is kept as "(.*)"$/.exec(kept) ?? [];
  assert.deepEqual(await usersOf(terminal, former), ["anna", "cora"]);
  assert.equal((Deno.statSync(terminal.database).mode ?? 0) & 0o777, 0o600);
});

Deno.test("restore makes a store where there is none, and takes one's own copy of its files", async () => {
  await using terminal = await deskWithUsers("anna");
  const store = await openStore(terminal.database);
  await store.atomic((operation) => operation.set(["favorites", 1], "in the log alone"));
  for (const end of ["", "-wal"]) {
    Deno.copyFileSync(`${terminal.database}${end}`, join(terminal.folder, `copied.kv${end}`));
  }
  store.close();
  const database = join(terminal.folder, "data", "new.kv");
  await terminal.ok("restore", "copied.kv", "--database", database);
  const restored = await openStore(database);
  assert.equal((await restored.get(["favorites", 1])).value, "in the log alone");
  restored.close();
});

Deno.test({
  name: "a store that root restores, and its backup by root, belong to whom they should",
  ignore: Deno.build.os === "windows" || Deno.uid() !== 0,
  async fn() {
    await using terminal = await deskWithUsers("anna");
    await terminal.ok("backup", "a.kv");
    assert.equal(Deno.statSync(join(terminal.folder, "a.kv")).uid, 0);
    Deno.chownSync(terminal.database, 65_534, 65_534);
    await terminal.ok("restore", "a.kv", "--overwrite");
    assert.equal(Deno.statSync(terminal.database).uid, 65_534);
    Deno.chownSync(join(terminal.folder, "data"), 65_533, 65_533);
    const database = join(terminal.folder, "data", "new.kv");
    await terminal.ok("restore", "a.kv", "--database", database);
    assert.equal(Deno.statSync(database).uid, 65_533);
  },
});

Deno.test("restore replaces a damaged store, and keeps its files", async () => {
  await using terminal = await deskWithUsers("anna");
  await terminal.ok("backup", "a.kv");
  Deno.writeTextFileSync(terminal.database, "no longer SQLite ".repeat(999));
  const [, kept = ""] = await terminal.ok("restore", "a.kv", "--overwrite");
  assert.deepEqual(await usersOf(terminal), ["anna"]);
  const [, former = ""] = /kept as "(.*)"$/.exec(kept) ?? [];
  assert.match(Deno.readTextFileSync(former), /^no longer SQLite/);
});

Deno.test("restore brings back neither sessions nor work that was under way", async () => {
  await using terminal = await deskWithUsers("anna");
  const store = await openStore(terminal.database);
  await store.atomic((operation) =>
    operation.set(sessionRecords.key(1, "s"), { expires: Date.now() + 1e9 })
  );
  for (const id of ["running", "over"]) {
    await store.atomic((operation) => operation.set(jobRecords.key(1, id), { id }));
    await store.atomic((operation) => operation.set(jobParts.key(1, id, "entries", 0), ["/a.txt"]));
  }
  await store.atomic((operation) => operation.set(activeJobs.prefix(1, "running"), true));
  store.close();
  await terminal.ok("backup", "a.kv");
  await terminal.ok("restore", "a.kv", "--overwrite");
  const restored = await openStore(terminal.database);
  const keys = async (...prefix: string[]) => (await restored.list(prefix)).map(({ key }) => key);
  assert.deepEqual(await keys("sessions"), []);
  assert.deepEqual(await keys("active_jobs"), []);
  assert.deepEqual(await keys("jobs"), [["jobs", 1, "over"]]);
  assert.deepEqual(await keys("job_parts"), [["job_parts", 1, "over", "entries", 0]]);
  restored.close();
});

Deno.test("settledRecords() reads the records of a busy store as they were at one moment", async () => {
  const store = await openStore(":memory:");
  let writes = 20;
  const writing = (async () => {
    for (; writes > 0; writes--) {
      await store.atomic((all) => all.set(["a"], writes).set(["b"], writes));
      await new Promise((resolve) => setTimeout(resolve, 5));
    }
  })();
  const records = new Map((await settledRecords(store)).map(({ key, value }) => [key[0], value]));
  assert.equal(records.get("a"), records.get("b"));
  await writing;
  store.close();
});
