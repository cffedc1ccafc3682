import { type RefObject, useEffect, useRef } from "react";
import { Gestures, type Touch } from "./preview_gestures.ts";
import type { PictureLook } from "./preview_pose.ts";
import type { Size } from "./preview_zoom.ts";

/** What has its own use for fingers and clicks. */
const OWN = "a, button:not(.viewer__arrow), audio, iframe";

/** What lies where a thumb begins to swipe: a tap is for it, the swipe is not. */
const ON_THE_WAY = ".viewer__arrow";

/** The part of a player that its controls take, from the bottom, in pixels. */
const CONTROLS_PX = 80;

/** Lines of a wheel that counts in lines. */
const LINE_PX = 16;

/** What the stage is told by the preview. */
export interface StageOptions {
  /** The element on which fingers and the mouse work. */
  stage: RefObject<HTMLElement>;
  /** What follows the finger that turns the page. */
  content: RefObject<HTMLElement>;
  /** The picture; null when there is none to come closer to. */
  look: PictureLook | null;
  /** Whether there is one to turn to, on the right (1) or the left (-1). */
  has: (side: 1 | -1) => boolean;
  /** Turns to the one on the right (1) or the left (-1). */
  turn: (side: 1 | -1) => void;
}

/** Lets fingers, the mouse and its wheel work the stage, and tells the picture how large the stage is. */
export function useStageGestures(options: StageOptions): void {
  const latest = useRef(options);
  latest.current = options;

  useEffect(() => {
    const stage = options.stage.current;
    if (!stage) return;
    const slide = (x: number, calm = false) => {
      const { style } = latest.current.content.current ?? {};
      if (!style) return;
      style.transition = calm ? "translate var(--calm) var(--ease)" : "none";
      style.translate = x === 0 ? "" : `${x}px`;
    };
    const gestures = new Gestures({
      canPan: () => latest.current.look?.isCropped ?? false,
      pan: (by) => latest.current.look?.pan(by),
      pinch: (ratio, about, by) => latest.current.look?.pinch(ratio, about, by),
      drag: (x) => slide(latest.current.has(x < 0 ? 1 : -1) ? x : x / 4),
      release(side) {
        const turns = side !== 0 && latest.current.has(side);
        slide(0, !turns);
        if (turns) latest.current.turn(side);
      },
      doubleTap: (about) => latest.current.look?.cycle(about),
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
      const { look } = latest.current;
      if (!look) return;
      event.preventDefault();
      look.wheel(event.deltaMode === 0 ? event.deltaY : event.deltaY * LINE_PX, pointOf(event));
    };
    // A press that brought a button back, which was hidden, was not meant for it.
    const onClick = (event: MouseEvent) => {
      const button = event.target instanceof Element && event.target.closest("button");
      if (event.detail > 0 && button && pressed instanceof Node && !button.contains(pressed)) {
        event.stopPropagation();
      }
      pressed = null;
    };
    const measure = () => latest.current.look?.framed(sizeOf(stage));
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

  const { stage, look } = options;
  useEffect(() => {
    if (stage.current) look?.framed(sizeOf(stage.current));
  }, [look]);
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
