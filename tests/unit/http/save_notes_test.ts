import assert from "node:assert/strict";
import { unknownFacts } from "../../../lib/server/core/disk/facts.ts";
import type { OpenFolder } from "../../../lib/server/core/disk/disk.ts";
import { etagOf } from "../../../lib/server/files/content/open_content.ts";
import type { FormerFile } from "../../../lib/server/files/upload/commit_upload.ts";
import { SaveNotes } from "../../../lib/server/http/wopi/save_notes.ts";
import type { WopiVisit } from "../../../lib/server/http/wopi/wopi_visit.ts";
import { ROOT } from "../../../lib/shared/path.ts";

const visit = {} as WopiVisit;
const folder = {} as OpenFolder;
const facts = unknownFacts("file");
const etag = etagOf(facts);

/** Notes whose commits end when the test says so, and versions; all of it is written down. */
function scene() {
  const events: string[] = [];
  const commit = Promise.withResolvers<void>();
  const kept: FormerFile = {
    id: "v",
    isInPlace: () => true,
    takeBack: () => Promise.resolve(void events.push("version taken back")),
  };
  const notes = new SaveNotes({
    isOn: () => Promise.resolve(true),
    keep: () => Promise.resolve(events.push("version kept")).then(() => kept),
  }, {
    begin: (tag) => commit.promise.then(() => void events.push(`begun ${tag}`)),
    end: (tag) => Promise.resolve(void events.push(`ended ${tag}`)),
  });
  const keep = () => notes.formerFiles.keep(folder, ROOT, facts);
  const replace = () =>
    notes.formerFiles.replaced?.({ place: ROOT, former: facts, isKept: true, now: facts });
  return { events, commit, kept, notes, keep, replace };
}

Deno.test("a file takes its name after the note of its save, which waits for nothing else", async () => {
  const { events, commit, kept, notes, keep, replace } = scene();
  await notes.begin(etag, visit, true);
  const keeping = keep();
  keeping.then(() => events.push("may be named"));
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(events, ["version kept"], "both at once");
  commit.resolve();
  assert.equal(await keeping, kept);
  await replace();
  await notes.end(etag);
  assert.deepEqual(events, ["version kept", `begun ${etag}`, "may be named", `ended ${etag}`]);
});

Deno.test("where there is no version to keep, the note is made before anything else", async () => {
  const { events, commit, notes } = scene();
  const begun = notes.begin(etag, visit, false).then(() => events.push("may be named"));
  await new Promise((resolve) => setTimeout(resolve));
  assert.deepEqual(events, []);
  commit.resolve();
  await begun;
  assert.deepEqual(events, [`begun ${etag}`, "may be named"]);
});

Deno.test("a save whose note fails is given up, and its version is taken back", async () => {
  const { events, commit, notes, keep } = scene();
  await notes.begin(etag, visit, true);
  commit.reject(new Error("the disk is full"));
  await assert.rejects(keep(), /the disk is full/);
  assert.deepEqual(events, ["version kept", "version taken back"]);
});

Deno.test("another file than the one that was named is noted in the end", async () => {
  const { events, notes, replace } = scene();
  await replace();
  await notes.end('"another"');
  assert.deepEqual(events, [`ended ${etag}`, 'ended "another"']);
});
