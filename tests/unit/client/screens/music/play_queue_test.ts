import assert from "node:assert/strict";
import { PlayQueue } from "../../../../../lib/client/screens/music/play_queue.ts";
import { fc } from "../../../../support/run/property.ts";
import { fileNamed } from "../../support.ts";

const entries = (names: string) => [...names].map((name) => fileNamed(name));
const shown = (queue: PlayQueue) => queue.tracks.value.map(({ entry }) => entry.name).join("");
const current = (queue: PlayQueue) => queue.current.value?.entry.name;

/** A queue of one letter a track. */
function queueOf(names: string, start?: string, random?: () => number): PlayQueue {
  const queue = new PlayQueue(random);
  queue.set(entries(names), start && `/${start}`);
  return queue;
}

Deno.test("a queue plays in order from where it began, and ends after the last", () => {
  const queue = queueOf("abc", "b");
  assert.equal(current(queue), "b");
  assert.ok(queue.next());
  assert.equal(current(queue), "c");
  assert.equal(queue.hasNext, false);
  assert.equal(queue.end(), false);
  assert.equal(current(queue), "c");
  assert.ok(queue.previous() && queue.previous());
  assert.equal(queue.previous(), false);
  assert.equal(current(queue), "a");
});

Deno.test("a queue repeats all, or one track until the user goes on", () => {
  const queue = queueOf("ab", "b");
  queue.repeats();
  assert.equal(queue.repeat.value, "all");
  assert.ok(queue.hasNext && queue.end());
  assert.equal(current(queue), "a");
  queue.repeats();
  assert.equal(queue.repeat.value, "one");
  assert.ok(queue.end());
  assert.equal(current(queue), "a");
  assert.ok(queue.next());
  assert.equal(current(queue), "b");
  queue.repeats();
  assert.equal(queue.repeat.value, "off");
});

Deno.test("shuffling keeps the current track first, and the former order comes back", () => {
  const queue = queueOf("abcdef", "c", () => 0);
  queue.shuffle(true);
  assert.equal(shown(queue)[0], "c");
  assert.notEqual(shown(queue), "cabdef");
  assert.deepEqual([...shown(queue)].sort().join(""), "abcdef");
  queue.next();
  const playing = current(queue);
  queue.add(entries("x"));
  queue.shuffle(false);
  assert.equal(shown(queue), "abcdefx");
  assert.equal(current(queue), playing);
});

Deno.test("a track that is removed gives its place to the next, the last one to the one before", () => {
  const queue = queueOf("abc", "b");
  const idOf = (name: string) =>
    queue.tracks.value.find(({ entry }) => entry.name === name)?.id ?? 0;
  queue.remove(idOf("b"));
  assert.equal(current(queue), "c");
  queue.remove(idOf("c"));
  assert.equal(current(queue), "a");
  queue.remove(idOf("a"));
  assert.equal(queue.current.value, null);
  assert.equal(queue.hasNext, false);
  assert.equal(queue.next(), false);
});

Deno.test("the same file can be in the queue twice, and each is a track of its own", () => {
  const queue = queueOf("a");
  queue.add(entries("a"));
  assert.ok(queue.next());
  assert.equal(queue.position, 1);
  queue.remove(queue.tracks.value[0]?.id ?? 0);
  assert.equal(shown(queue), "a");
  assert.equal(queue.position, 0);
});

Deno.test("a track is put among those of its folder, unless it is not there any more", () => {
  const queue = queueOf("c");
  queue.surround(entries("abcd"));
  assert.equal(shown(queue), "abcd");
  assert.equal(current(queue), "c");
  queue.surround(entries("xyz"));
  assert.equal(shown(queue), "abcd");
});

Deno.test("whatever is done to a queue, its current track is one of its tracks", () => {
  const deeds = fc.array(fc.nat(6), { maxLength: 40 });
  fc.assert(fc.property(deeds, fc.nat(), (all, seed) => {
    let turn = seed;
    const queue = queueOf(
      "abcde",
      "c",
      () => (turn = (turn * 16_807 + 1) % 2_147_483_647) / 2 ** 31,
    );
    for (const deed of all) {
      const some = queue.tracks.value[deed % Math.max(1, queue.tracks.value.length)]?.id ?? 0;
      [
        () => queue.next(),
        () => queue.previous(),
        () => queue.shuffle(!queue.isShuffled.value),
        () => queue.remove(some),
        () => queue.add(entries("xy")),
        () => queue.goTo(some),
        () => queue.repeats(),
      ][deed]?.();
      const { length } = queue.tracks.value;
      assert.equal(queue.current.value === null, length === 0);
      assert.ok(queue.position < length && (length === 0 || queue.position >= 0));
      assert.equal(new Set(queue.tracks.value.map(({ id }) => id)).size, length);
    }
  }));
});
