import { useEffect, useRef } from "react";
import { shortcutOf } from "../core/keyboard.ts";

/** What keys do while a file is looked at. */
export interface ViewerDeeds {
  next: () => void;
  previous: () => void;
  close: () => void;
  remove: () => void;
  download: () => void;
  /** Plays a film or a sound, or has it pause. */
  play: () => void;
  /** Closer (1), away (-1), or the whole (0). */
  zoom: (direction: 1 | -1 | 0) => void;
}

const ZOOM: Record<string, 1 | -1 | 0> = { "+": 1, "=": 1, "-": -1, "_": -1, "0": 0 };

/**
 * Lets keys work the preview, wherever on the page the focus is. A player that has the focus keeps
 * its own: with the arrows it goes back and forth.
 */
export function useViewerKeys(deeds: ViewerDeeds): void {
  const latest = useRef(deeds);
  latest.current = deeds;
  useEffect(() => {
    const onKeyDown = (event: KeyboardEvent) => {
      if (event.defaultPrevented || document.querySelector("dialog:modal")) return;
      if (act(event, latest.current)) event.preventDefault();
    };
    // Before the page's own keys, some of which mean something else here.
    document.addEventListener("keydown", onKeyDown, true);
    return () => document.removeEventListener("keydown", onKeyDown, true);
  }, []);
}

function act(event: KeyboardEvent, deeds: ViewerDeeds): boolean {
  const shortcut = shortcutOf(event);
  const inPlayer = event.target instanceof Element && event.target.closest("audio, video");
  switch (shortcut?.does) {
    case "escape":
    case "up":
      deeds.close();
      return true;
    case "delete":
      deeds.remove();
      return true;
    case "download":
      deeds.download();
      return true;
    case "open":
      if (inPlayer || event.repeat) return false;
      deeds.next();
      return true;
    case "toggle":
      if (inPlayer) return false;
      deeds.play();
      return true;
    case "shell":
      // It would come up below what is looked at, unseen.
      return true;
    case "step":
      if (inPlayer || shortcut.extend) return false;
      return turn(shortcut.step, deeds);
    case "type": {
      const direction = ZOOM[shortcut.character];
      if (direction === undefined) return false;
      deeds.zoom(direction);
      return true;
    }
    default:
      return false;
  }
}

function turn(step: string, deeds: ViewerDeeds): boolean {
  const onwards = document.dir === "rtl" ? "left" : "right";
  if (step !== "left" && step !== "right") return false;
  if (step === onwards) deeds.next();
  else deeds.previous();
  return true;
}
