import type { Point } from "./preview_zoom.ts";

/** A finger, the mouse or a pen, as a `PointerEvent` tells of it; the point counts from the frame's middle. */
export interface Touch extends Point {
  id: number;
  /** Milliseconds, of any clock. */
  at: number;
  /** Whether it is a finger: only fingers turn pages. */
  finger: boolean;
  /** Whether it hits what a tap is meant for, such as a button: only what moves is a gesture then. */
  onControl?: boolean;
}

/** What gestures do. */
export interface Deeds {
  /** Whether there is more of the picture to see, so that dragging moves it. */
  canPan: () => boolean;
  pan: (by: Point) => void;
  /** Two fingers: the distance between them grew by a ratio, and they have moved. */
  pinch: (ratio: number, about: Point, by: Point) => void;
  /** A finger drags the whole picture aside by so many pixels. */
  drag: (x: number) => void;
  /** It lets go: 1 turns to the next, -1 to the previous, 0 to neither. */
  release: (turn: 1 | -1 | 0) => void;
  /** Two short presses in quick succession at one place. */
  doubleTap: (about: Point) => void;
}

/** A press that moves less is a tap. */
const DRIFT_PX = 8;

/** Two taps within this time, and this near to each other, are one double tap. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

/** A swipe turns the page when it goes so far, or, when it is fast, a quarter of that. */
const TURN_PX = 96;
const FAST_PX_PER_MS = 0.5;

/** Makes gestures out of what fingers and the mouse do. */
export class Gestures {
  readonly #deeds: Deeds;
  readonly #down = new Map<number, Touch>();
  #start: Touch | null = null;
  #mode: "none" | "pan" | "drag" | "pinch" = "none";
  #tapped: Touch | null = null;

  /** @param deeds what gestures do */
  constructor(deeds: Deeds) {
    this.#deeds = deeds;
  }

  /** Whether the picture is being moved or turned. */
  get isBusy(): boolean {
    return this.#mode !== "none";
  }

  /** It touches. */
  down(touch: Touch): void {
    this.#down.set(touch.id, touch);
    if (this.#down.size === 1) {
      this.#start = touch;
      this.#mode = "none";
      return;
    }
    if (this.#mode === "drag") this.#deeds.release(0);
    this.#start = null;
    this.#mode = "pinch";
  }

  /** It moves while it touches. */
  move(touch: Touch): void {
    const before = this.#down.get(touch.id);
    if (!before) return;
    if (this.#mode === "pinch") this.#pinch(before, touch);
    this.#down.set(touch.id, touch);
    if (this.#mode === "pinch" || this.#start === null) return;
    if (this.#mode === "none") this.#mode = this.#begins(touch, this.#start);
    if (this.#mode === "pan") {
      this.#deeds.pan({ x: touch.x - before.x, y: touch.y - before.y });
    }
    if (this.#mode === "drag") this.#deeds.drag(touch.x - this.#start.x);
  }

  /** It lets go. */
  up(touch: Touch): void {
    if (!this.#down.delete(touch.id)) return;
    if (this.#down.size > 0) return this.#goOn();
    const start = this.#start;
    const mode = this.#mode;
    this.#start = null;
    this.#mode = "none";
    if (start === null) return;
    if (mode === "drag") this.#deeds.release(turnOf(start, touch));
    if (mode === "none" && !start.onControl) this.#tap(touch);
  }

  /** The browser took it away, for scrolling or a menu of its own. */
  cancel(id: number): void {
    if (!this.#down.delete(id)) return;
    if (this.#mode === "drag") this.#deeds.release(0);
    this.#start = null;
    this.#mode = "none";
  }

  /** The finger that is left of two moves the picture that they have brought closer. */
  #goOn(): void {
    const [left] = this.#down.values();
    if (this.#mode !== "pinch" || this.#down.size !== 1 || !left || !this.#deeds.canPan()) return;
    this.#start = left;
    this.#mode = "pan";
  }

  #begins(touch: Touch, start: Touch): "none" | "pan" | "drag" {
    const x = Math.abs(touch.x - start.x);
    const y = Math.abs(touch.y - start.y);
    if (Math.hypot(x, y) < DRIFT_PX) return "none";
    if (this.#deeds.canPan()) return "pan";
    return start.finger && x > y ? "drag" : "none";
  }

  #pinch(before: Touch, now: Touch): void {
    const other = [...this.#down.values()].find(({ id }) => id !== now.id);
    if (!other || this.#down.size !== 2) return;
    const ratio = distance(now, other) / Math.max(1, distance(before, other));
    const about = { x: (now.x + other.x) / 2, y: (now.y + other.y) / 2 };
    this.#deeds.pinch(ratio, about, { x: (now.x - before.x) / 2, y: (now.y - before.y) / 2 });
  }

  #tap(touch: Touch): void {
    const first = this.#tapped;
    this.#tapped = touch;
    if (first && touch.at - first.at < DOUBLE_TAP_MS && distance(first, touch) < DOUBLE_TAP_PX) {
      this.#tapped = null;
      return this.#deeds.doubleTap(touch);
    }
  }
}

function distance(a: Point, b: Point): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

/** Dragging to the left brings what lies to the right. */
function turnOf(start: Touch, end: Touch): 1 | -1 | 0 {
  const x = end.x - start.x;
  const fast = Math.abs(x) / Math.max(1, end.at - start.at) > FAST_PX_PER_MS;
  if (Math.abs(x) < (fast ? TURN_PX / 4 : TURN_PX)) return 0;
  return x < 0 ? 1 : -1;
}
