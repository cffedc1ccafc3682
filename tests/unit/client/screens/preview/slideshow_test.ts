import assert from "node:assert/strict";
import { memoryStorage } from "../../../../../lib/client/base/core/browser_storage.ts";
import { Slideshow } from "../../../../../lib/client/screens/preview/Slideshow.tsx";
import { fakeTimers } from "../../../../support/run/fake_timers.ts";

/** A slideshow of so many pictures, each on screen at once unless it is slow. */
function pictures(count: number, storage = memoryStorage()) {
  const state = { at: 0, isSlow: false, playing: [] as boolean[] };
  const show: Slideshow = new Slideshow({
    next(again) {
      if (state.at === count - 1 && !again) return Promise.resolve(false);
      state.at = (state.at + 1) % count;
      show.opened();
      if (!state.isSlow) show.shown();
      return Promise.resolve(true);
    },
    storage,
    onPlaying: (isPlaying) => void state.playing.push(isPlaying),
  });
  show.shown();
  return Object.assign(state, { show });
}

Deno.test("a slideshow goes on after its interval, and holds the last picture", async () => {
  using time = fakeTimers();
  const fixture = pictures(3);
  fixture.show.play();
  await time.pass(4999);
  assert.equal(fixture.at, 0);
  await time.pass(1);
  assert.equal(fixture.at, 1);
  await time.pass(5000);
  assert.equal(fixture.at, 2);
  await time.pass(5000);
  assert.equal(fixture.show.state.value, "paused");
  await time.pass(60_000);
  assert.equal(fixture.at, 2);
  assert.deepEqual(fixture.playing, [true, false]);
});

Deno.test("a slideshow that repeats begins again with the first picture", async () => {
  using time = fakeTimers();
  const fixture = pictures(2);
  fixture.show.repeat(true);
  fixture.show.play();
  await time.pass(10_000);
  assert.equal(fixture.at, 0);
  assert.equal(fixture.show.state.value, "playing");
  fixture.show.stop();
  await time.pass(60_000);
  assert.equal(fixture.at, 0);
});

Deno.test("the time of a picture begins when it is on screen, and of a video at its end", async () => {
  using time = fakeTimers();
  const fixture = pictures(3);
  fixture.isSlow = true;
  fixture.show.play();
  await time.pass(5000);
  assert.equal(fixture.at, 1);
  await time.pass(60_000);
  assert.equal(fixture.at, 1, "it is not on screen yet");
  fixture.show.shown();
  await time.pass(5000);
  assert.equal(fixture.at, 2);
  fixture.at = 0;
  fixture.show.ended();
  await time.pass(0);
  assert.equal(fixture.at, 1);
});

Deno.test("a pause holds the picture, and another interval counts from now on", async () => {
  using time = fakeTimers();
  const fixture = pictures(9);
  fixture.show.play();
  await time.pass(3000);
  fixture.show.pause();
  await time.pass(60_000);
  assert.equal(fixture.at, 0);
  fixture.show.ended();
  await time.pass(0);
  assert.equal(fixture.at, 0, "a video that ends in a pause moves nothing");
  fixture.show.play();
  fixture.show.every(10);
  await time.pass(9999);
  assert.equal(fixture.at, 0);
  await time.pass(1);
  assert.equal(fixture.at, 1);
});

Deno.test("interval and repetition are remembered, and nonsense in the storage is not taken", () => {
  const storage = memoryStorage();
  const { show } = pictures(2, storage);
  show.every(30);
  show.repeat(true);
  const again = pictures(2, storage).show;
  assert.deepEqual([again.seconds.value, again.repeats.value], [30, true]);
  storage.setItem("slideshow", "0.001 nonsense");
  const third = pictures(2, storage).show;
  assert.deepEqual([third.seconds.value, third.repeats.value], [5, false]);
});
