import type { Point } from "./preview_zoom.ts";

/** A pointer, as a `PointerEvent` reports it; the point counts from the frame's centre. */
export interface Touch extends Point {
  id: number;
  /** Milliseconds, of any clock. */
  at: number;
  /** Whether it is a finger: only fingers swipe. */
  finger: boolean;
  /** Whether it starts on a control, such as a button: then a tap is no gesture. */
  onControl?: boolean;
}

/** The handlers of the gestures. */
export interface GestureHandlers {
  /** Whether the picture exceeds the frame, so that dragging pans it. */
  canPan: () => boolean;
  pan: (by: Point) => void;
  /** Pinch: the ratio of the distances between two fingers, and their movement. */
  pinch: (ratio: number, about: Point, by: Point) => void;
  /** A finger drags the whole image sideways by `x` pixels. */
  drag: (x: number) => void;
  /** Release: 1 turns to the next, -1 to the previous, 0 to neither. */
  release: (turn: 1 | -1 | 0) => void;
  /** Two short presses in quick succession at one place. */
  doubleTap: (about: Point) => void;
}

/** A press that moves less is a tap, in pixels. */
const DRIFT_PX = 8;

/** Two taps within this time, and this near to each other, are one double tap. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

/** The distance of a swipe that turns the page; a fast one needs a quarter of it. */
const TURN_PX = 96;
const FAST_PX_PER_MS = 0.5;

/** Recognizes gestures of fingers and the mouse. */
export class Gestures {
  readonly #handlers: GestureHandlers;
  readonly #down = new Map<number, Touch>();
  #start: Touch | null = null;
  #mode: "none" | "pan" | "drag" | "pinch" = "none";
  #tapped: Touch | null = null;

  /** @param handlers of gestures */
  constructor(handlers: GestureHandlers) {
    this.#handlers = handlers;
  }

  /** Whether a pan or swipe is under way. */
  get isBusy(): boolean {
    return this.#mode !== "none";
  }

  /** `pointerdown`. */
  down(touch: Touch): void {
    this.#down.set(touch.id, touch);
    if (this.#down.size === 1) {
      this.#start = touch;
      this.#mode = "none";
      return;
    }
    if (this.#mode === "drag") this.#handlers.release(0);
    this.#start = null;
    this.#mode = "pinch";
  }

  /** `pointermove` while pressed. */
  move(touch: Touch): void {
    const before = this.#down.get(touch.id);
    if (!before) return;
    if (this.#mode === "pinch") this.#pinch(before, touch);
    this.#down.set(touch.id, touch);
    if (this.#mode === "pinch" || this.#start === null) return;
    if (this.#mode === "none") this.#mode = this.#begins(touch, this.#start);
    if (this.#mode === "pan") {
      this.#handlers.pan({ x: touch.x - before.x, y: touch.y - before.y });
    }
    if (this.#mode === "drag") this.#handlers.drag(touch.x - this.#start.x);
  }

  /** `pointerup`. */
  up(touch: Touch): void {
    if (!this.#down.delete(touch.id)) return;
    if (this.#down.size > 0) return this.#goOn();
    const start = this.#start;
    const mode = this.#mode;
    this.#start = null;
    this.#mode = "none";
    if (start === null) return;
    if (mode === "drag") this.#handlers.release(turnOf(start, touch));
    if (mode === "none" && !start.onControl) this.#tap(touch);
  }

  /** `pointercancel`: the browser took over, for scrolling or its menu. */
  cancel(id: number): void {
    if (!this.#down.delete(id)) return;
    if (this.#mode === "drag") this.#handlers.release(0);
    this.#start = null;
    this.#mode = "none";
  }

  /** After a pinch the remaining finger pans. */
  #goOn(): void {
    const [left] = this.#down.values();
    if (this.#mode !== "pinch" || this.#down.size !== 1 || !left || !this.#handlers.canPan()) {
      return;
    }
    this.#start = left;
    this.#mode = "pan";
  }

  #begins(touch: Touch, start: Touch): "none" | "pan" | "drag" {
    const x = Math.abs(touch.x - start.x);
    const y = Math.abs(touch.y - start.y);
    if (Math.hypot(x, y) < DRIFT_PX) return "none";
    if (this.#handlers.canPan()) return "pan";
    return start.finger && x > y ? "drag" : "none";
  }

  #pinch(before: Touch, now: Touch): void {
    const other = [...this.#down.values()].find(({ id }) => id !== now.id);
    if (!other || this.#down.size !== 2) return;
    const ratio = distance(now, other) / Math.max(1, distance(before, other));
    const about = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#handlers.pinch(ratio, about, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  }

  #tap(touch: Touch): void {
    const first = this.#tapped;
    this.#tapped = touch;
    if (first && touch.at - first.at < DOUBLE_TAP_MS && distance(first, touch) < DOUBLE_TAP_PX) {
      this.#tapped = null;
      return this.#handlers.doubleTap(touch);
    }
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Dragging to the left shows the picture on the right. */
function turnOf(start: Touch, end: Touch): 1 | -1 | 0 {
  const x = end.x - start.x;
  const fast = Math.abs(x) / Math.max(1, end.at - start.at) > FAST_PX_PER_MS;
  if (Math.abs(x) < (fast ? TURN_PX / 4 : TURN_PX)) return 0;
  return x < 0 ? 1 : -1;
}
