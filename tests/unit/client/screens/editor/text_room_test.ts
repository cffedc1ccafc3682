import assert from "node:assert/strict";
import { signal } from "@preact/signals";
import { failure } from "../../../../../lib/shared/result.ts";
import type { RoomState, TextRoom } from "../../../../../lib/client/screens/editor/text_room.ts";
import { askAboutUnsaved } from "../../../../../lib/client/screens/editor/text_file.ts";
import { openNotes, type } from "./server.ts";

/** A room whose state the test sets. */
function openRoom() {
  const state = signal<RoomState>("saved");
  const isOutstanding = signal(false);
  const mayEdit = signal(true);
  const said: string[] = [];
  const room: TextRoom = {
    ...{ state, isOutstanding, mayEdit },
    isAhead: signal(false),
    people: signal([]),
    text: signal(null),
    placeOf: () => null,
    save: () => Promise.resolve(said.push("save") > 0),
    settled: () => Promise.resolve(void said.push("settled")),
    discard: () => void said.push("discard"),
  };
  return { room, state, isOutstanding, mayEdit, said };
}

Deno.test("a text in a room is saved by the room, and unsaved only while the server lacks something", async () => {
  await using page = openNotes();
  const { room, state, isOutstanding, said } = openRoom();
  await page.file.load();
  page.file.enter(room);
  type(page.file, "one\ntwo\nthree\n");
  assert.equal(page.file.saveState.value, "saved");
  assert.equal(page.file.holds, false);
  isOutstanding.value = true;
  assert.equal(page.file.saveState.value, "saving");
  assert.equal(page.file.holds, true);
  state.value = "failed";
  assert.equal(page.file.saveState.value, "failed");
  assert.equal(await page.file.save(), true);
  assert.deepEqual(said, ["save"]);
  assert.equal(page.content(), "one\ntwo\n", "no other save was made");
});

Deno.test("a text in a room takes no description of its file, and knows what the room has written", async () => {
  await using page = openNotes();
  const { room } = openRoom();
  await page.file.load();
  page.file.enter(room);
  type(page.file, "mine");
  page.overwrite("theirs");
  await page.file.offer(page.told());
  await page.file.follow('"2"');
  assert.equal(page.file.isStale.value, false);
  assert.equal(page.file.draft?.toString(), "mine");
  page.file.written('"3"');
  assert.equal(page.file.version.value?.tag, '"3"');
  assert.equal(page.file.version.value?.text.toString(), "mine");
});

Deno.test("leaving a room waits for it, and asks where something is not on the server", async () => {
  await using page = openNotes();
  const { room, isOutstanding, said } = openRoom();
  await page.file.load();
  page.file.enter(room);
  assert.equal(await askAboutUnsaved(page.file, page.prompts), true);
  isOutstanding.value = true;
  const asked = askAboutUnsaved(page.file, {
    open: () => Promise.resolve("discard") as never,
  });
  assert.equal(await asked, true);
  assert.deepEqual(said, ["settled", "settled", "discard"]);
});

for (const code of ["forbidden", "read_only", "not_found", "is_folder"] as const) {
  Deno.test(`a text whose room is closed stays, as unsaved: ${code}`, async () => {
    await using page = openNotes();
    const { room } = openRoom();
    await page.file.load();
    page.file.enter(room);
    type(page.file, "mine");
    page.file.noteMoved();
    await page.file.part(failure(403, code, "closed"));
    const isBarred = code === "forbidden" || code === "read_only";
    assert.equal(page.file.room.value, null);
    assert.equal(page.file.hasMoved.value, false);
    assert.equal(page.file.draft?.toString(), "mine");
    assert.equal(page.file.holds, true);
    assert.equal(page.file.hasParted.value, isBarred);
    assert.equal(page.file.isWritable.value, !isBarred);
    assert.equal(page.file.trouble.value?.code, code);
  });
}

for (const code of ["not_supported", "body_too_large"] as const) {
  Deno.test(`a text that others may no longer join can be saved, over what the user has seen: ${code}`, async () => {
    await using page = openNotes();
    const { room } = openRoom();
    await page.file.load();
    page.file.enter(room);
    type(page.file, "mine");
    await page.file.part(failure(400, code, "closed"));
    assert.equal(page.file.trouble.value, null, "nothing has failed");
    assert.equal(page.file.saveState.value, "unsaved");
    assert.equal(page.file.isStale.value, false);
    page.file.enter(room);
    page.overwrite("theirs");
    await page.file.part(failure(400, code, "closed"));
    assert.equal(page.file.isStale.value, true);
    assert.equal(page.file.draft?.toString(), "mine");
    await page.file.save();
    assert.equal(page.file.theirs.value?.text.toString(), "theirs");
  });

  Deno.test(`a file that is no text any more says so: ${code}`, async () => {
    await using page = openNotes();
    await page.file.load();
    page.file.enter(openRoom().room);
    page.files.clear();
    await page.file.part(failure(400, code, "closed"));
    assert.equal(page.file.trouble.value?.code, code);
  });
}

Deno.test("who may only view a text in a room cannot write it, whatever its file allows", async () => {
  await using page = openNotes();
  const { room, mayEdit } = openRoom();
  await page.file.load();
  mayEdit.value = false;
  page.file.enter(room);
  assert.equal(page.file.isWritable.value, false);
  mayEdit.value = true;
  assert.equal(page.file.isWritable.value, true);
});
