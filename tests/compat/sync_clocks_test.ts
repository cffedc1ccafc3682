/** The clock of a computer, or of the server, is wrong by a day: sync clients lose nothing. */
import assert from "node:assert/strict";
import { join } from "node:path";
import {
  assertSameTrees,
  ensureSyncClients,
  openSyncScene,
  syncClients,
  type SyncedFolder,
  textsIn,
} from "../support/clients/sync.ts";
import { ensurePrograms } from "../support/run/debian.ts";
import { atLater } from "../support/run/clock.ts";

await ensureSyncClients("wrong clocks");
await ensurePrograms({ faketime: "faketime" }, "wrong clocks");

/** A clock that is wrong by a day, and by how many seconds that is. */
const clocks = [["ahead", "+1d", 86_400], ["behind", "-1d", -86_400]] as const;

/** A computer with a clock, which its programs write into files. */
interface Computer {
  folder: SyncedFolder;
  /** As of `faketime`; undefined for a right one. */
  clock?: string;
  /** By how much it is wrong, in seconds. */
  wrong: number;
}

/**
 * The right time of the last edit, in seconds: clients tell edits of one length by whole seconds, and
 * leave for later what was changed in the last two.
 */
let next = Math.floor(Date.now() / 1000) - 3_600;

/** @param wrong by how much the clock is wrong that the file gets its time from, in seconds */
async function write(path: string, text: string, wrong: number): Promise<void> {
  await Deno.writeTextFile(path, text);
  next += 10;
  await Deno.utime(path, next + wrong, next + wrong);
}

function edit({ folder, wrong }: Computer, name: string, text: string): Promise<void> {
  return write(join(folder.path, name), text, wrong);
}

/** Runs the clients in turn until each has seen what the others did. */
async function settle(...computers: Computer[]): Promise<string> {
  let log = "";
  for (const { folder, clock } of [...computers, ...computers]) log += await folder.sync({ clock });
  return log;
}

/** Edits on all sides, and at last the same file on two. */
async function useThree(
  { root, wrong }: { root: string; wrong: number },
  one: Computer,
  two: Computer,
): Promise<void> {
  const folders = [one.folder, two.folder] as const;
  await assertSameTrees(await settle(one, two), root, ...folders);
  // Of the same length: only their times tell these edits.
  for (const [index, computer] of [one, two, one, two].entries()) {
    await edit(computer, "plan.txt", `plan ${index}`);
    await edit(computer, `new ${index}.txt`, `new ${index}`);
    const log = await settle(one, two);
    await assertSameTrees(log, root, ...folders);
    assert.equal(await Deno.readTextFile(join(root, "plan.txt")), `plan ${index}`, log);
  }
  await write(join(root, "plan.txt"), "plan d", wrong);
  await Deno.remove(join(one.folder.path, "kept/z.txt"));
  await assertSameTrees(await settle(one, two), root, ...folders);
  assert.equal(await Deno.readTextFile(join(two.folder.path, "plan.txt")), "plan d");

  await edit(one, "plan.txt", "of one");
  await edit(two, "plan.txt", "of two");
  await write(join(root, "note.txt"), "disk's", wrong);
  await edit(one, "note.txt", "note 1");
  const log = await settle(one, two);
  // What came second is kept beside, on its own computer.
  const texts = await Promise.all(folders.map(({ path }) => textsIn(path)));
  const seen = texts.flatMap((each) => Object.values(each));
  for (const text of ["of one", "of two", "disk's", "note 1"]) {
    assert.ok(seen.includes(text), `${text} is lost: ${seen.join(", ")}\n${log}`);
  }
  for (const [index, each] of texts.entries()) {
    for (const name of Object.keys(each).filter((name) => name.includes("(conflicted copy"))) {
      await Deno.remove(join(folders[index]?.path ?? "", name));
    }
  }
  await assertSameTrees(await settle(one, two), root, ...folders);
}

const tree = {
  ...{ "plan.txt": "plan -", "note.txt": "note -" },
  kept: { "x.txt": "x", "y.txt": "y", "z.txt": "z" },
};

for (const client of syncClients) {
  for (const [how, clock, wrong] of clocks) {
    Deno.test(`${client} on a computer whose clock is a day ${how} loses no edit`, async () => {
      await using scene = await openSyncScene(client, { inProcess: true, tree });
      const one = { folder: await scene.folder(), clock, wrong };
      const two = { folder: await scene.folder(), wrong: 0 };
      await useThree({ root: scene.app.root, wrong: 0 }, one, two);
    });

    Deno.test(`${client} loses no edit with a server whose clock is a day ${how}`, async () => {
      await atLater(wrong * 1000, async () => {
        await using scene = await openSyncScene(client, { inProcess: true, tree });
        const [one, two] = [await scene.folder(), await scene.folder()];
        const server = { root: scene.app.root, wrong };
        await useThree(server, { folder: one, wrong: 0 }, { folder: two, wrong: 0 });
      });
    });
  }
}
