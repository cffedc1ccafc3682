import assert from "node:assert/strict";
import type { UnsentText } from "../../../../../lib/client/screens/editor/coediting/unsent_texts.ts";
import { until } from "../../support.ts";
import { RoomServer, unsentIn, Writer } from "./room_server.ts";

const state = (writer: Writer) => writer.room.state.value;

/** A page in a room of one line, that writes a second one: the server does not acknowledge it. */
async function unheard(...given: ConstructorParameters<typeof Writer>): Promise<Writer> {
  const [server] = given;
  server.isForgetful = true;
  const writer = new Writer(...given);
  writer.screen = "one\ntwo\n";
  await until(() => writer.told.includes("joined"));
  writer.show();
  return writer;
}

Deno.test("a page that comes into a room has its text, and the server what was typed before", async () => {
  await using server = new RoomServer("one\ntwo\n");
  using writer = new Writer(server);
  writer.screen = "one\ntwo\nthree\n";
  server.write(0, "zero\n");
  await until(() => writer.told.includes("joined"));
  writer.show();
  assert.equal(writer.screen, "zero\none\ntwo\nthree\n");
  await until(() => state(writer) === "saved");
  assert.equal(server.text, writer.screen);
});

Deno.test("what the server does not acknowledge is outstanding, and leaving waits a moment for it", async () => {
  await using server = new RoomServer("one\n");
  using writer = await unheard(server);
  assert.equal(writer.room.isOutstanding.value, true);
  assert.equal(state(writer), "saving");
});

Deno.test("a page comes back by itself, with what it wrote meanwhile and what came meanwhile", async () => {
  await using server = new RoomServer("one\n");
  using writer = new Writer(server);
  await until(() => writer.told.includes("joined"));
  writer.show();
  await server.breakOff();
  await until(() => state(writer) === "offline");
  server.write(0, "zero\n");
  await until(() => state(writer) === "saved");
  assert.deepEqual(writer.told, ["joined"]);
  assert.equal(server.text, "zero\none\n");
});

Deno.test("a server that begins with another document gets what it lacks, and nothing twice", async () => {
  await using server = new RoomServer("one\ntwo\n");
  using writer = new Writer(server);
  await until(() => writer.told.includes("joined"));
  writer.show();
  const former = writer.room.text.value;
  server.restart("zero\none\ntwo\n");
  await server.breakOff();
  await until(() => writer.room.text.value !== former);
  writer.screen += "three\n";
  writer.show();
  await until(() => state(writer) === "saved");
  assert.equal(server.text, "zero\none\ntwo\nthree\n");
  assert.equal(writer.screen, server.text);
});

for (const isNew of [false, true]) {
  const what = isNew ? "another document" : "the same document";
  Deno.test(`what a page could not send is sent by the next one, to ${what}`, async () => {
    const kept = new Map<string, UnsentText>();
    await using server = new RoomServer("one\n");
    (await unheard(server, { unsent: unsentIn(kept, "first") }))[Symbol.dispose]();
    assert.deepEqual([...kept.keys()], ["first"]);
    await until(() => server.count === 0);
    server.isForgetful = false;
    // What was sent may have come without an acknowledgement, or not.
    if (isNew) server.restart("zero\none\n");
    using writer = new Writer(server, { unsent: unsentIn(kept, "second") });
    await until(() => kept.size === 0);
    assert.equal(server.text, isNew ? "zero\none\ntwo\n" : "one\ntwo\n");
    assert.equal(writer.room.isOutstanding.value, false);
  });
}

Deno.test("changes that had come unacknowledged are not made twice in another document", async () => {
  const kept = new Map<string, UnsentText>();
  await using server = new RoomServer("one\n");
  {
    using _ = await unheard(server, { unsent: unsentIn(kept, "first") });
    await until(() => server.text === "one\ntwo\n");
  }
  server.isForgetful = false;
  server.restart("one\ntwo\n");
  using _ = new Writer(server, { unsent: unsentIn(kept, "second") });
  await until(() => kept.size === 0);
  assert.equal(server.text, "one\ntwo\n");
});

Deno.test("without a room the page says so once, and asks no more", async () => {
  await using server = new RoomServer("one\n");
  server.isAway = true;
  using writer = new Writer(server);
  await until(() => writer.told.length > 0);
  assert.deepEqual(writer.told, ["refused"]);
});

Deno.test("who may only view follows, sends nothing, and may be let to edit", async () => {
  await using server = new RoomServer("one\n");
  server.right = "view";
  using writer = new Writer(server);
  await until(() => writer.told.includes("joined"));
  writer.screen = "typed";
  writer.show();
  assert.equal(writer.screen, "one\n");
  assert.equal(writer.room.mayEdit.value, false);
  await server.breakOff();
  server.right = "edit";
  await until(() => writer.room.mayEdit.value);
  assert.equal(server.text, "one\n");
});

Deno.test("a room that is closed to the user ends, other refusals pass", async () => {
  await using server = new RoomServer("one\n");
  using writer = new Writer(server);
  await until(() => writer.told.includes("joined"));
  server.end({ code: "over_quota", message: "", closing: false });
  await until(() => state(writer) === "failed");
  assert.equal(await writer.room.save(), true);
  await until(() => state(writer) === "saved");
  server.end({ code: "busy", message: "", closing: true, retryAfter: 0.01 });
  await until(() => state(writer) === "offline");
  await until(() => state(writer) === "saved");
  server.end({ code: "forbidden", message: "", closing: true });
  await until(() => writer.told.includes("forbidden"));
  assert.deepEqual(writer.told, ["joined", "failed: over_quota", "saved", "forbidden"]);
});

const busy = { code: "busy", message: "", closing: true, retryAfter: 0.01 } as const;

Deno.test("a page that is refused for a moment asks again, and edits alone after a few times", async () => {
  await using server = new RoomServer("one\n");
  server.refusing = { ended: busy, times: 3 };
  using writer = new Writer(server);
  await until(() => writer.told.length > 0);
  assert.deepEqual(writer.told, ["joined"]);
  server.refusing = { ended: busy, times: 100 };
  using other = new Writer(server);
  await until(() => other.told.length > 0);
  assert.deepEqual(other.told, ["refused"]);
});

Deno.test("what was written before the right ended is said to be unsaved, and sent once it is back", async () => {
  await using server = new RoomServer("one\n");
  using writer = await unheard(server);
  server.right = "view";
  await server.breakOff();
  await until(() => state(writer) === "failed");
  assert.deepEqual(writer.told, ["joined", "failed: read_only"]);
  assert.equal(writer.room.isOutstanding.value, true);
  assert.equal(writer.screen, "one\ntwo\n");
  server.isForgetful = false;
  server.right = "edit";
  await server.breakOff();
  await until(() => state(writer) === "saved");
  assert.equal(server.text, "one\ntwo\n");
});
