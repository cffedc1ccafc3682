import assert from "node:assert/strict";
import * as syncing from "y-protocols/sync";
import * as Y from "yjs";
import {
  awarenessMessage,
  cursorColors,
  endedMessage,
  heartbeatMs,
  keptMessage,
  maxAwarenessBytes,
  maxCoeditedBytes,
  maxMembers,
  maxMessageBytes,
  presentMessage,
  readMessage,
  savedMessage,
  saveNowMessage,
  type ShownUser,
  silenceMs,
  syncMessage,
  syncSteps,
  textName,
} from "../../../lib/shared/coediting.ts";
import { maxVisitorName } from "../../../lib/shared/visitor_name.ts";

Deno.test("readMessage() reads what each writer wrote", () => {
  const saved = { document: "d", etag: '"1"', modified: "2026-01-01T00:00:00.000Z", by: ["anna"] };
  assert.deepEqual(readMessage(savedMessage(saved)), { kind: "saved", saved });
  const ended = { code: "locked" as const, message: "Cannot save", closing: false, retryAfter: 3 };
  assert.deepEqual(readMessage(endedMessage(ended)), { kind: "ended", ended });
  const present = [{ id: 1, name: "Ä", color: "#123456", right: "edit" as const, self: true }];
  assert.deepEqual(readMessage(presentMessage(present)), { kind: "present", present });
  assert.deepEqual(readMessage(keptMessage(300)), { kind: "kept", count: 300 });
  assert.deepEqual(readMessage(saveNowMessage()), { kind: "saveNow" });
  const update = Uint8Array.of(1, 2, 3);
  assert.deepEqual(readMessage(awarenessMessage(update)), { kind: "awareness", update });
});

Deno.test("readMessage() leaves the payload of a sync message to y-protocols", () => {
  const doc = new Y.Doc();
  doc.getText(textName).insert(0, "a");
  const bytes = syncMessage((encoder) => syncing.writeSyncStep2(encoder, doc));
  const message = readMessage(bytes);
  assert.ok(message.kind === "sync");
  assert.equal(message.step, syncSteps.sendMissing);
  assert.deepEqual(message.payload, bytes.subarray(1));
  doc.destroy();
});

Deno.test("readMessage() refuses what is no message", () => {
  for (const bytes of [[], [7], [255, 255], [0], [1, 9, 1], [2], [3, 2, 65], [4, 1, 123]]) {
    assert.throws(() => readMessage(Uint8Array.from(bytes)), `${bytes}`);
  }
});

Deno.test("the limits fit each other: a whole text in a message, a user in a state", () => {
  const doc = new Y.Doc();
  doc.getText(textName).insert(0, "a".repeat(maxCoeditedBytes));
  const whole = syncMessage((encoder) => syncing.writeSyncStep2(encoder, doc));
  doc.destroy();
  assert.ok(whole.length <= maxMessageBytes);
  const [color] = cursorColors;
  const name = "\u{1f600}".repeat(maxVisitorName);
  const user: ShownUser = { id: maxMembers, name, guest: true, color, colorLight: color };
  const cursor = { anchor: "x".repeat(500), head: "x".repeat(500) };
  assert.ok(new TextEncoder().encode(JSON.stringify({ user, cursor })).length <= maxAwarenessBytes);
  assert.ok(silenceMs > 2 * heartbeatMs);
});

Deno.test("each color of a cursor differs from a dark page, and a white name is read on it", () => {
  for (const color of cursorColors) {
    for (const [page, least] of [["#ffffff", 4.5], ["#181d1b", 3]] as const) {
      assert.ok(contrast(color, page) >= least, `${color} on ${page}: ${contrast(color, page)}`);
    }
  }
});

/** The contrast of two colors (WCAG 2.2, 1.4.11). */
function contrast(one: string, other: string): number {
  const [light = 0, dark = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (light + 0.05) / (dark + 0.05);
}

function luminance(color: string): number {
  const [red = 0, green = 0, blue = 0] = [1, 3, 5].map((at) => {
    const part = parseInt(color.slice(at, at + 2), 16) / 255;
    return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}
