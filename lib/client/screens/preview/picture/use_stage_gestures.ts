import { type RefObject, useEffect, useRef } from "react";
import { Gestures, type Touch } from "./preview_gestures.ts";
import type { ImageViewport } from "./image_viewport.ts";
import type { Size } from "./preview_zoom.ts";

/** Elements that handle pointers themselves. */
const OWN = "a, button:not(.viewer__arrow), audio, iframe";

/** Elements on which a swipe may begin; a tap still activates them. */
const ON_THE_WAY = ".viewer__arrow";

/** The height of a player's controls at the bottom, in pixels. */
const CONTROLS_PX = 80;

/** Pixels per line, for wheels that report lines. */
const LINE_PX = 16;

/** The options of the stage. */
export interface StageOptions {
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

function hasOwnUse({ target, clientY }: PointerEvent): boolean {
  if (!(target instanceof Element)) return true;
  if (target.closest(OWN)) return true;
  const player = target.closest("video");
  return player !== null && clientY > player.getBoundingClientRect().bottom - CONTROLS_PX;
}

function sizeOf({ clientWidth: width, clientHeight: height }: HTMLElement): Size {
  return { width, height };
}
