import { type RefObject, useEffect, useRef } from "react";
import type { ImageViewport, Point, Size } from "./image_viewport.ts";

/** Elements that handle pointers themselves. */
const OWN = "a, button:not(.viewer__arrow), input, iframe, .film__bar, .film__next";

/** Elements on which a swipe may begin; a tap still activates them. */
const ON_THE_WAY = ".viewer__arrow";

/** Pixels per line, for wheels that report lines. */
const LINE_PX = 16;

/** The options of the stage. */
interface StageOptions {
  /** The element that receives touch, mouse and wheel events. */
  stage: RefObject<HTMLElement>;
  /** The element that follows a swipe. */
  content: RefObject<HTMLElement>;
  /** The picture; null when there is none to zoom. */
  viewport: ImageViewport | null;
  /** Whether there is a neighbour on the right (1) or the left (-1). */
  has: (side: 1 | -1) => boolean;
  /** Goes to the neighbour on the right (1) or the left (-1). */
  turn: (side: 1 | -1) => void;
  /** Closes the preview. */
  close: () => void;
}

/** Handles touch, mouse and wheel on the stage, and reports its size to the viewport. */
export function useStageGestures(options: StageOptions): void {
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const stage = options.stage.current;
    if (!stage) return;
    const slide = (x: number, y: number, calm = false) => {
      const { style } = latest.current.content.current ?? {};
      if (!style) return;
      style.transition = calm ? "translate var(--calm) var(--ease)" : "none";
      style.translate = x === 0 && y === 0 ? "" : `${x}px ${y}px`;
    };
    const gestures = new Gestures({
      canPan: () => latest.current.viewport?.isCropped ?? false,
      pan: (by) => latest.current.viewport?.pan(by),
      pinch: (ratio, about, by) => latest.current.viewport?.pinch(ratio, about, by),
      drag: (x) => slide(latest.current.has(x < 0 ? 1 : -1) ? x : x / 4, 0),
      release(side) {
        const turns = side !== 0 && latest.current.has(side);
        slide(0, 0, !turns);
        if (turns) latest.current.turn(side);
      },
      lower: (y) => slide(0, y),
      drop(closes) {
        if (closes) latest.current.close();
        else slide(0, 0, true);
      },
      doubleTap: (about) => latest.current.viewport?.cycle(about),
    });

    const pointOf = ({ clientX, clientY }: MouseEvent) => {
      const { left, top, width, height } = stage.getBoundingClientRect();
      return { x: clientX - left - width / 2, y: clientY - top - height / 2 };
    };
    const touchOf = (event: PointerEvent): Touch => {
      const { pointerId: id, timeStamp: at, pointerType, target } = event;
      const onControl = target instanceof Element && target.closest(ON_THE_WAY) !== null;
      return { ...pointOf(event), id, at, finger: pointerType === "touch", onControl };
    };
    let pressed: EventTarget | null = null;
    const onDown = (event: PointerEvent) => {
      pressed = event.target;
      if (event.button === 0 && !hasOwnUse(event)) gestures.down(touchOf(event));
    };
    const onMove = (event: PointerEvent) => {
      gestures.move(touchOf(event));
      if (gestures.isBusy) stage.setPointerCapture(event.pointerId);
    };
    const onUp = (event: PointerEvent) => gestures.up(touchOf(event));
    const onCancel = (event: PointerEvent) => gestures.cancel(event.pointerId);
    const onWheel = (event: WheelEvent) => {
      const { viewport } = latest.current;
      if (!viewport) return;
      event.preventDefault();
      viewport.wheel(event.deltaMode === 0 ? event.deltaY : event.deltaY * LINE_PX, pointOf(event));
    };
    // Ignore a press that made a hidden button appear.
    const onClick = (event: MouseEvent) => {
      const button = event.target instanceof Element && event.target.closest("button");
      if (event.detail > 0 && button && pressed instanceof Node && !button.contains(pressed)) {
        event.stopPropagation();
      }
      pressed = null;
    };
    const measure = () => latest.current.viewport?.framed(sizeOf(stage));
    const resized = new ResizeObserver(measure);
    resized.observe(stage);
    const leaving = new AbortController();
    const { signal } = leaving;
    stage.addEventListener("pointerdown", onDown, { signal });
    stage.addEventListener("click", onClick, { signal, capture: true });
    stage.addEventListener("pointermove", onMove, { signal });
    stage.addEventListener("pointerup", onUp, { signal });
    stage.addEventListener("pointercancel", onCancel, { signal });
    stage.addEventListener("wheel", onWheel, { signal, passive: false });
    return () => {
      resized.disconnect();
      leaving.abort();
    };
  }, []);

  const { stage, viewport } = options;
  useEffect(() => {
    if (stage.current) viewport?.framed(sizeOf(stage.current));
  }, [viewport]);
}

function hasOwnUse({ target }: PointerEvent): boolean {
  return !(target instanceof Element) || target.closest(OWN) !== null;
}

function sizeOf({ clientWidth: width, clientHeight: height }: HTMLElement): Size {
  return { width, height };
}

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
interface GestureHandlers {
  /** Whether the picture exceeds the frame, so that dragging pans it. */
  canPan: () => boolean;
  pan: (by: Point) => void;
  /** Pinch: the ratio of the distances between two fingers, and their movement. */
  pinch: (ratio: number, about: Point, by: Point) => void;
  /** A finger drags the whole image sideways by `x` pixels. */
  drag: (x: number) => void;
  /** Release: 1 turns to the next, -1 to the previous, 0 to neither. */
  release: (turn: 1 | -1 | 0) => void;
  /** A finger drags the whole image down by `y` pixels. */
  lower: (y: number) => void;
  /** Release after dragging down. @param closes far or fast enough to close the preview */
  drop: (closes: boolean) => void;
  /** Two short presses in quick succession at one place. */
  doubleTap: (about: Point) => void;
}

/** A press that moves less is a tap, in pixels. */
const DRIFT_PX = 8;

/** Two taps within this time, and this near to each other, are one double tap. */
const DOUBLE_TAP_MS = 300;
const DOUBLE_TAP_PX = 30;

/** The distance of a swipe that turns the page or closes the preview; a fast one needs a quarter of it. */
const TURN_PX = 96;
const FAST_PX_PER_MS = 0.5;

/** Recognizes gestures of fingers and the mouse. */
export class Gestures {
  readonly #handlers: GestureHandlers;
  readonly #down = new Map<number, Touch>();
  #start: Touch | null = null;
  #mode: "none" | "pan" | "drag" | "lower" | "pinch" = "none";
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
    this.#letGo();
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
    if (this.#mode === "lower") this.#handlers.lower(Math.max(0, touch.y - this.#start.y));
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
    if (mode === "lower") this.#handlers.drop(isSwipe(touch.y - start.y, touch.at - start.at));
    if (mode === "none" && !start.onControl) this.#tap(touch);
  }

  /** `pointercancel`: the browser took over, for scrolling or its menu. */
  cancel(id: number): void {
    if (!this.#down.delete(id)) return;
    this.#letGo();
    this.#start = null;
    this.#mode = "none";
  }

  /** Puts a dragged image back: the swipe is none after all. */
  #letGo(): void {
    if (this.#mode === "drag") this.#handlers.release(0);
    if (this.#mode === "lower") this.#handlers.drop(false);
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

  #begins(touch: Touch, start: Touch): "none" | "pan" | "drag" | "lower" {
    const x = Math.abs(touch.x - start.x);
    const y = Math.abs(touch.y - start.y);
    if (Math.hypot(x, y) < DRIFT_PX) return "none";
    if (this.#handlers.canPan()) return "pan";
    if (!start.finger) return "none";
    if (x > y) return "drag";
    return touch.y > start.y ? "lower" : "none";
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
  if (!isSwipe(Math.abs(x), end.at - start.at)) return 0;
  return x < 0 ? 1 : -1;
}

function isSwipe(distance: number, ms: number): boolean {
  const isFast = distance / Math.max(1, ms) > FAST_PX_PER_MS;
  return distance >= (isFast ? TURN_PX / 4 : TURN_PX);
}
