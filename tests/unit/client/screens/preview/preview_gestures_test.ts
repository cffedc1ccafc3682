import assert from "node:assert/strict";
import {
  Gestures,
  type Touch,
} from "../../../../../lib/client/screens/preview/picture/use_stage_gestures.ts";

/** Gestures that write down what they do. */
function written(canPan = false) {
  const deeds: string[] = [];
  const gestures = new Gestures({
    canPan: () => canPan,
    pan: ({ x, y }) => void deeds.push(`pan ${x},${y}`),
    pinch: (ratio, about) => void deeds.push(`pinch ${ratio} about ${about.x},${about.y}`),
    drag: (x) => void deeds.push(`drag ${x}`),
    release: (turn) => void deeds.push(`release ${turn}`),
    lower: (y) => void deeds.push(`lower ${y}`),
    drop: (closes) => void deeds.push(closes ? "close" : "put back"),
    doubleTap: ({ x, y }) => void deeds.push(`double ${x},${y}`),
  });
  return { gestures, deeds };
}

const finger = (x: number, y: number, at = 0, id = 1): Touch => ({ id, x, y, at, finger: true });
const mouse = (x: number, y: number, at = 0): Touch => ({ ...finger(x, y, at), finger: false });

Deno.test("a finger that goes far enough aside turns the page", () => {
  const { gestures, deeds } = written();
  gestures.down(finger(0, 0));
  gestures.move(finger(-5, 0, 100));
  gestures.move(finger(-60, 10, 500));
  gestures.move(finger(-120, 10, 900));
  gestures.up(finger(-120, 10, 1000));
  assert.deepEqual(deeds, ["drag -60", "drag -120", "release 1"]);
});

Deno.test("a fast finger turns the page sooner, and a slow one that stops early does not", () => {
  const fast = written();
  fast.gestures.down(finger(0, 0));
  fast.gestures.move(finger(40, 0, 50));
  fast.gestures.up(finger(40, 0, 60));
  assert.deepEqual(fast.deeds, ["drag 40", "release -1"]);

  const slow = written();
  slow.gestures.down(finger(0, 0));
  slow.gestures.move(finger(40, 0, 500));
  slow.gestures.up(finger(40, 0, 1000));
  assert.deepEqual(slow.deeds, ["drag 40", "release 0"]);
});

Deno.test("a finger that goes down far or fast enough closes, and puts back what it moved else", () => {
  const { gestures, deeds } = written();
  gestures.down(finger(0, 0));
  gestures.move(finger(5, 60, 500));
  gestures.move(finger(5, 120, 900));
  gestures.up(finger(5, 120, 1000));
  gestures.down(finger(0, 0, 2000));
  gestures.move(finger(0, 40, 2500));
  gestures.move(finger(0, -10, 2600));
  gestures.up(finger(0, -10, 3000));
  gestures.down(finger(0, 0, 4000));
  gestures.move(finger(0, 30, 4100));
  gestures.cancel(1);
  assert.deepEqual(deeds, [
    ...["lower 60", "lower 120", "close"],
    ...["lower 40", "lower 0", "put back"],
    ...["lower 30", "put back"],
  ]);
});

Deno.test("a second finger puts back what the first has pulled down", () => {
  const { gestures, deeds } = written();
  gestures.down(finger(0, 0));
  gestures.move(finger(0, 30, 100));
  gestures.down(finger(50, 50, 150, 2));
  assert.deepEqual(deeds, ["lower 30", "put back"]);
});

Deno.test("a mouse, and a finger that goes up, turn nothing", () => {
  const { gestures, deeds } = written();
  gestures.down(mouse(0, 0));
  gestures.move(mouse(-300, 0, 100));
  gestures.up(mouse(-300, 0, 200));
  gestures.down(finger(0, 0, 1000));
  gestures.move(finger(20, -200, 1100));
  gestures.up(finger(20, -200, 1200));
  assert.deepEqual(deeds.filter((action) => !action.startsWith("double")), []);
});

Deno.test("while there is more of the picture, dragging moves it", () => {
  const { gestures, deeds } = written(true);
  gestures.down(mouse(0, 0));
  gestures.move(mouse(10, 0, 10));
  gestures.move(mouse(15, 5, 20));
  gestures.up(mouse(15, 5, 30));
  assert.deepEqual(deeds, ["pan 10,0", "pan 5,5"]);
});

Deno.test("two fingers pinch, and none of them turns the page afterwards", () => {
  const { gestures, deeds } = written();
  gestures.down(finger(-50, 0, 0, 1));
  gestures.down(finger(50, 0, 0, 2));
  gestures.move(finger(150, 0, 100, 2));
  gestures.up(finger(150, 0, 200, 2));
  gestures.move(finger(-300, 0, 300, 1));
  gestures.up(finger(-300, 0, 400, 1));
  assert.deepEqual(deeds, ["pinch 2 about 50,0"]);
});

Deno.test("a second finger during a swipe lets go of the picture, which then turns no page", () => {
  const { gestures, deeds } = written();
  gestures.down(finger(0, 0, 0, 1));
  gestures.move(finger(-200, 0, 100, 1));
  gestures.down(finger(100, 0, 200, 2));
  gestures.move(finger(400, 0, 300, 2));
  gestures.up(finger(-200, 0, 400, 1));
  gestures.up(finger(400, 0, 500, 2));
  assert.deepEqual(deeds, ["drag -200", "release 0", "pinch 2 about 100,0"]);
});

Deno.test("the finger that is left of two moves the picture on", () => {
  const { gestures, deeds } = written(true);
  gestures.down(finger(-50, 0, 0, 1));
  gestures.down(finger(50, 0, 0, 2));
  gestures.up(finger(50, 0, 100, 2));
  gestures.move(finger(-40, 5, 200, 1));
  gestures.up(finger(-40, 5, 300, 1));
  assert.deepEqual(deeds, ["pan 10,5"]);
});

Deno.test("a swipe may begin on a button, and taps on it are no double tap", () => {
  const { gestures, deeds } = written();
  const onButton = (x: number, at: number) => ({ ...finger(x, 0, at), onControl: true });
  for (const at of [0, 100]) {
    gestures.down(onButton(0, at));
    gestures.up(onButton(0, at + 20));
  }
  assert.deepEqual(deeds, []);
  gestures.down(onButton(0, 200));
  gestures.move(onButton(-120, 400));
  gestures.up(onButton(-120, 500));
  assert.deepEqual(deeds, ["drag -120", "release 1"]);
});

Deno.test("two quick taps at one place are a double tap; a third begins anew", () => {
  const { gestures, deeds } = written();
  const tap = (x: number, at: number) => {
    gestures.down(mouse(x, 0, at));
    gestures.up(mouse(x, 0, at));
  };
  tap(0, 0);
  tap(5, 200);
  assert.deepEqual(deeds, ["double 5,0"]);
  tap(5, 300);
  tap(5, 900);
  tap(300, 1000);
  assert.equal(deeds.length, 1);
});

Deno.test("what the browser takes away lets go", () => {
  const { gestures, deeds } = written();
  gestures.down(finger(0, 0));
  gestures.move(finger(200, 0, 100));
  gestures.cancel(1);
  gestures.up(finger(200, 0, 200));
  assert.deepEqual(deeds, ["drag 200", "release 0"]);
  assert.ok(!gestures.isBusy);
});
