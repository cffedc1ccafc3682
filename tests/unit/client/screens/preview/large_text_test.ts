import assert from "node:assert/strict";
import { encoderOf } from "../../../../../lib/server/files/text/encode.ts";
import { markOf } from "../../../../../lib/server/files/text/format.ts";
import { LargeText } from "../../../../../lib/client/screens/preview/large_text.ts";

const MiB = 2 ** 20;

/** A file that may grow, and the text of it. */
function growing(length: number) {
  let bytes = new Uint8Array(length).fill(0x61);
  for (let at = 99; at < length; at += 100) bytes[at] = 10;
  const text = new LargeText(
    bytes.length,
    "utf-8",
    (from, to) => Promise.resolve(bytes.subarray(from, to)),
  );
  const write = (words: string) => {
    const more = new TextEncoder().encode(words);
    const all = new Uint8Array(bytes.length + more.length);
    all.set(bytes);
    all.set(more, bytes.length);
    bytes = all;
    text.size = bytes.length;
  };
  const cut = (length: number) => {
    bytes = bytes.subarray(0, length);
    text.size = length;
  };
  return { text, write, cut, shown: () => text.parts.value.join("") };
}

Deno.test("the end of a text begins with a whole line", async () => {
  const { text, shown } = growing(3 * MiB);
  await text.showEnd();
  assert.equal(text.extent.value.to, 3 * MiB);
  assert.ok(text.extent.value.from > 2 * MiB && text.extent.value.from % 100 === 0);
  assert.ok(shown().startsWith("aaa"));
});

Deno.test("a text that is followed gets what is written, once", async () => {
  const { text, write, shown } = growing(2 * MiB);
  await text.showEnd();
  write("one\n");
  await text.follow();
  await text.follow();
  write("tw");
  await text.follow();
  write("o\n");
  await text.follow();
  assert.ok(shown().endsWith("aone\ntwo\n"), shown().slice(-20));
  assert.equal(text.extent.value.to, text.size);
});

Deno.test("what is written while a part is being read is shown after it", async () => {
  const { text, write, shown } = growing(2 * MiB);
  const reading = text.showEnd();
  write("late\n");
  await Promise.all([reading, text.follow()]);
  assert.ok(shown().endsWith("alate\n"), shown().slice(-20));
});

Deno.test("a log that was rotated is followed from its new end on", async () => {
  const { text, cut, write, shown } = growing(2 * MiB);
  await text.showEnd();
  cut(200);
  await text.follow();
  assert.deepEqual(text.extent.value, { from: 0, to: 200 });
  write("new\n");
  await text.follow();
  assert.ok(shown().endsWith("new\n"));
});

Deno.test("a text that is followed for long does not fill the memory", async () => {
  const { text, write } = growing(1000);
  await text.showStart();
  for (let line = 0; line < 2100; line++) {
    write("x\n");
    await text.follow();
  }
  assert.ok(text.parts.value.length <= 2000);
  const { from, to } = text.extent.value;
  assert.equal(to, text.size);
  assert.equal(text.parts.value.join("").length, to - from);
});

/** A large text in an encoding, and what is read of it. */
function encoded(encoding: string, bytes: Uint8Array) {
  const text = new LargeText(
    bytes.length,
    encoding,
    (from, to) => Promise.resolve(bytes.subarray(from, to)),
  );
  return { text, shown: () => text.parts.value.join("") };
}

Deno.test("a text is read in parts in each encoding, from whole lines on, its mark left out", async () => {
  const line = "Zo\u00eb \u65e5\u672c\u8a9e\u0a0a\n";
  const lines = 200_000;
  for (const encoding of ["utf-8", "utf-16le", "utf-16be", "gb18030"]) {
    const known = encoding === "gb18030" ? line : line.replace("\u0a0a", "\u010a\u0a01");
    const content = encoderOf(encoding, "")(known.repeat(lines));
    const mark = encoding.startsWith("utf") ? markOf(encoding) : new Uint8Array();
    const bytes = new Uint8Array(mark.length + content.length);
    bytes.set(mark);
    bytes.set(content, mark.length);
    const name = mark.length > 0 ? `${encoding}-bom` : encoding;
    const { text, shown } = encoded(name, bytes);
    await text.showStart();
    while (text.extent.value.to < bytes.length) await text.more();
    assert.equal(shown(), known.repeat(lines), encoding);
    await text.showEnd();
    assert.ok(text.extent.value.from > 0 && shown().startsWith(known), encoding);
    assert.ok(shown().endsWith(known) && !shown().includes("\ufffd"), encoding);
  }
});

Deno.test("UTF-32, NUL and other control characters are shown", async () => {
  const codes = [0x5a, 0x1f600, 0x0a, 0x110000, 0xd800];
  const bytes = new Uint8Array(codes.length * 4);
  codes.forEach((code, index) => new DataView(bytes.buffer).setUint32(index * 4, code));
  const wide = encoded("utf-32be", bytes);
  await wide.text.showStart();
  assert.equal(wide.shown(), "Z\u{1f600}\n\ufffd\ufffd");
  const log = `a\0b\x1b[0m\tc\n${"\0".repeat(5_000)}d\x7f`;
  const marked = encoded("utf-8", new TextEncoder().encode(log));
  await marked.text.showStart();
  assert.equal(marked.shown(), "a\u2400b\u241b[0m\tc\n\u2400\u00d75000d\u2421");
});
