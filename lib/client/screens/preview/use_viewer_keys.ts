import { useLayoutEffect, useRef } from "react";
import { letterOf, shortcutOf } from "../../base/core/keyboard.ts";

/** The handlers of the preview's shortcuts. */
export interface ViewerActions {
  next: () => void;
  previous: () => void;
  close: () => void;
  remove: () => void;
  download: () => void;
  /** Plays or pauses a video or a sound. */
  play: () => void;
  /** Zooms in (1), out (-1), or to fit (0). */
  zoom: (direction: 1 | -1 | 0) => void;
  /** Turns a picture clockwise (1) or back (-1). */
  rotate: (direction: 1 | -1) => void;
  /** Enters or leaves full screen. */
  fullScreen: () => void;
  /** Starts, pauses or continues the slideshow. */
  slideshow: () => void;
}

const ZOOM: Record<string, 1 | -1 | 0> = { "+": 1, "=": 1, "-": -1, "_": -1, "0": 0 };

/**
 * Shortcuts of the preview, wherever on the page the focus is. A focused player keeps its own keys,
 * such as the arrows.
 */
export function useViewerKeys(actions: ViewerActions): void {
  const latest = useRef(actions);
  latest.current = actions;
  // As soon as the preview is there: a key that is pressed then must not go to the page.
  useLayoutEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog:modal")) return;
      // The details beside it close with Escape, and scroll with the arrows.
      if (event.target instanceof Element && event.target.closest(".details")) return;
      if (act(event, latest.current)) event.preventDefault();
    };
    // In the capture phase, before the page's own shortcuts.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, []);
}

function act(event: KeyboardEvent, actions: ViewerActions): boolean {
  const shortcut = shortcutOf(event);
  const inPlayer = event.target instanceof Element && event.target.closest("audio, video");
  switch (shortcut?.does) {
    case "escape":
    case "up":
      actions.close();
      return true;
    case "delete":
      actions.remove();
      return true;
    case "download":
      actions.download();
      return true;
    case "open":
      if (inPlayer || event.repeat) return false;
      actions.next();
      return true;
    case "toggle":
      if (inPlayer) return false;
      actions.play();
      return true;
    case "shell":
      // It would open behind the preview.
      return true;
    case "step":
      if (inPlayer || shortcut.extend) return false;
      return turn(shortcut.step, actions);
    case "type": {
      const direction = ZOOM[shortcut.character];
      if (direction === undefined) return press(event, actions);
      actions.zoom(direction);
      return true;
    }
    default:
      return false;
  }
}

/** Letters, in any layout. */
function press(event: KeyboardEvent, actions: ViewerActions): boolean {
  switch (letterOf(event)) {
    case "f":
      actions.fullScreen();
      return true;
    case "r":
      actions.rotate(event.shiftKey ? -1 : 1);
      return true;
    case "s":
      actions.slideshow();
      return true;
    default:
      return false;
  }
}

function turn(step: string, actions: ViewerActions): boolean {
  const onwards = document.dir === "rtl" ? "left" : "right";
  if (step !== "left" && step !== "right") return false;
  if (step === onwards) actions.next();
  else actions.previous();
  return true;
}
