import assert from "node:assert/strict";
import { join } from "node:path";
import { parsePath } from "../../../lib/shared/path.ts";
import {
  makeTrashId,
  type TrashedEntry,
  TrashRecords,
} from "../../../lib/server/files/trash/trash_records.ts";
import { plant, type Tree } from "../../support/disks/files.ts";
import { admit, assertHealthy, assertMends, findingsOf, withStore } from "./doctor.ts";
import { openTerminal, type TestTerminal } from "./terminal.ts";

const at = (text: string) => parsePath(text).path;
const hourMs = 60 * 60 * 1000;

/** A record of a deletion an hour ago, of an entry that is where it says. */
function record(
  terminal: TestTerminal,
  id: string,
  name: string,
  over: Partial<TrashedEntry> = {},
) {
  const entry: TrashedEntry = {
    ...{ id, userId: 1, path: at(`/docs/${name}`), isDir: false, size: 1, top: at("/") },
    at: Date.now() - hourMs,
    ino: inodeOf(join(terminal.root, ".cubby-trash", id, name)),
    ...over,
  };
  return withStore(terminal, (store) => new TrashRecords(store).put(entry));
}

function inodeOf(path: string): number | null {
  try {
    return Deno.lstatSync(path).ino;
  } catch {
    return 1;
  }
}

const listed = (terminal: TestTerminal) =>
  withStore(terminal, (store) => new TrashRecords(store).list());

async function deskWithTrash(trash: Tree): Promise<TestTerminal> {
  const terminal = await openTerminal();
  await plant(terminal.root, { ".cubby-trash": trash, "a.txt": "a" });
  await admit(terminal);
  return terminal;
}

Deno.test("the doctor forgets what is recorded in the trash and not there", async () => {
  const ids = [1, 2, 3, 4].map(() => makeTrashId(Date.now() - hourMs));
  const [kept = "", lost = "", other = "", coming = ""] = ids;
  await using terminal = await deskWithTrash({
    [kept]: { "k.txt": "k" },
    [other]: { "o.txt": "o" },
  });
  await record(terminal, kept, "k.txt");
  await record(terminal, lost, "l.txt");
  await record(terminal, other, "o.txt", { ino: 1 });
  await record(terminal, coming, "c.txt", { at: Date.now() });
  const { status, lines } = await findingsOf(terminal);
  assert.deepEqual(lines.sort(), [
    'trash of "root": "/docs/l.txt" is recorded, but not there',
    'trash of "root": "/docs/o.txt" is recorded, but not there',
  ]);
  assert.equal(status, 1);
  const fixed = await findingsOf(terminal, "--fix");
  assert.equal(fixed.lines.length, 3, "what lay in place of another is given back");
  assert.equal(fixed.status, 0);
  await assertHealthy(terminal);
  assert.deepEqual(
    (await listed(terminal)).map(({ id }) => id).sort(),
    [kept, other, coming].sort(),
  );
});

Deno.test("an entry in the trash without a record gets one, of an administrator", async () => {
  const id = makeTrashId(Date.now() - 400 * 24 * hourMs);
  await using terminal = await deskWithTrash({ [id]: { "lost ü.txt": "dear" } });
  await assertMends(terminal, [
    new RegExp(
      `^trash of the disk "/": "lost ü\\.txt" in ${id} has no record; --fix gives it to "root"$`,
    ),
  ]);
  const [entry] = await listed(terminal);
  assert.ok(entry);
  assert.ok(Date.now() - entry.at < hourMs, "its days in the trash begin now");
  const { userId, path, isDir, size, top } = entry;
  assert.deepEqual({ userId, path, isDir, size, top }, {
    ...{ userId: 1, path: "/lost ü.txt", isDir: false, size: 4, top: "/" },
  });
  assert.equal(
    await Deno.readTextFile(join(terminal.root, ".cubby-trash", id, "lost ü.txt")),
    "dear",
  );
});

Deno.test("the doctor removes what was deleted for good, and empty folders of the trash", async () => {
  const [kept = "", empty = ""] = [1, 2].map(() => makeTrashId(Date.now() - hourMs));
  await using terminal = await deskWithTrash({
    [kept]: { folder: { "k.txt": "k" } },
    [empty]: {},
    [`gone-${makeTrashId(1)}`]: { folder: { "g.txt": "g" } },
    [`gone-${makeTrashId(2)}`]: { "h.txt": "h" },
  });
  await record(terminal, kept, "folder", { isDir: true });
  await assertMends(terminal, [
    /^trash of the disk "\/": deleted for good, but still there: 2$/,
    new RegExp(`^trash of the disk "/": the folder ${empty} is empty$`),
  ]);
  assert.deepEqual([...Deno.readDirSync(join(terminal.root, ".cubby-trash"))].map((e) => e.name), [
    kept,
  ]);
});

Deno.test("what does not look like the trash's own is left to a person", async () => {
  const id = makeTrashId(Date.now() - hourMs);
  await using terminal = await deskWithTrash({ [id]: { "a": "a", "b": "b" }, notes: { "n": "n" } });
  const { status, lines } = await findingsOf(terminal, "--fix");
  assert.equal(lines.length, 2);
  assert.ok(lines.every((line) => line.endsWith(" - by hand")), lines.join("\n"));
  assert.equal(status, 1);
  assert.deepEqual(await listed(terminal), []);
});

Deno.test("a disk that is not mounted keeps its records, and a trash elsewhere is not touched", async () => {
  const id = makeTrashId(Date.now() - hourMs);
  await using terminal = await deskWithTrash({});
  await plant(terminal.root, { usb: {}, backup: { ".cubby-trash": { [id]: { "a.txt": "a" } } } });
  await record(terminal, id, "film.mp4", { top: at("/usb"), path: at("/usb/film.mp4") });
  await record(terminal, makeTrashId(Date.now() - hourMs), "x", { top: at("/gone/disk") });
  for (const flags of [[], ["--fix"]]) {
    const { status, lines } = await findingsOf(terminal, ...flags);
    assert.deepEqual(lines.sort(), [
      'folder "/backup": holds a trash, but is not the top of a disk - not checked',
      'trash of the disk "/gone/disk": it is not there to be looked into; records: 1 - not checked',
      'trash of the disk "/usb": it is not there to be looked into; records: 1 - not checked',
    ]);
    assert.equal(status, 0);
  }
  assert.equal((await listed(terminal)).length, 2);
});

Deno.test("an entry in the trash is left where no administrator could restore it", async () => {
  const id = makeTrashId(Date.now() - hourMs);
  await using terminal = await deskWithTrash({ [id]: { "a.txt": "a" } });
  await plant(terminal.root, { home: {} });
  await terminal.ok("users", "update", "root", "--scope", "/home");
  const { status, lines } = await findingsOf(terminal, "--fix");
  assert.match(lines.join(), /has no record - by hand$/);
  assert.equal(status, 1);
});
