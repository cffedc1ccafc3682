import assert from "node:assert/strict";
import {
  evenTimeline,
  keyframeTimeline,
  keyframeTimes,
  quickStarts,
  soundSeconds,
} from "../../../../lib/server/features/video/timeline.ts";

Deno.test("segments of converted pictures are a second long, of sound alone two", () => {
  const { starts, end } = evenTimeline(4.5);
  assert.deepEqual([starts, end], [[0, 1, 2, 3, 4], 4.5]);
  assert.deepEqual(evenTimeline(4.5, soundSeconds).starts, [0, 2, 4]);
  assert.deepEqual(evenTimeline(0.02).starts, [0]);
  assert.deepEqual(evenTimeline(3.04).starts, [0, 1, 2], "less than a picture is no segment");
});

Deno.test("a film of a day has no more segments than one of half a day", () => {
  for (const hours of [12, 14, 24]) {
    const { starts } = evenTimeline(hours * 3_600);
    assert.ok(starts.length <= 50_000, `${hours} h: ${starts.length}`);
    assert.ok(starts.every(Number.isInteger));
  }
});

Deno.test("keyframes are read as ffprobe prints them, from where the film's clock begins", () => {
  const text = "11.500000,K__\n10.000000,K_\n10.041000,__\nN/A,K_\n\n30.020000,K_";
  assert.deepEqual(keyframeTimes(text, 10).map((time) => Math.round(time * 100) / 100), [
    ...[0, 1.5, 20.02],
  ]);
});

Deno.test("a conversion begins soonest at the first segment after a keyframe", () => {
  const timeline = evenTimeline(31);
  assert.deepEqual(quickStarts([0, 0.4, 10.01, 20, 20.9, 30.5], timeline), [0, 1, 11, 21, 22]);
  assert.deepEqual(
    quickStarts([0.006, 2.84, 6.9], timeline),
    [0, 1, 3, 8],
    "the beginning is one anyway",
  );
});

Deno.test("copied pictures are cut at keyframes that are not too far apart", () => {
  assert.deepEqual(keyframeTimeline([0, 1, 5, 12], 14)?.starts, [0, 5, 12]);
  assert.equal(keyframeTimeline([0, 40], 60), null);
  assert.equal(keyframeTimeline([], 60), null);
});
