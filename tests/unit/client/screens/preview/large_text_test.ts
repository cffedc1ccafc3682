import assert from "node:assert/strict";
import { LargeText } from "../../../../../lib/client/screens/preview/large_text.ts";

const MiB = 2 ** 20;

/** A file that may grow, and the text of it. */
function growing(length: number) {
  let bytes = new Uint8Array(length).fill(0x61);
  for (let at = 99; at < length; at += 100) bytes[at] = 10;
  const text = new LargeText(
    bytes.length,
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
