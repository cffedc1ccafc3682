import { useEffect, useRef, useState } from "react";
import type { FilmPlayback } from "./film_playback.ts";

/** Two taps within this time are one double tap. */
const DOUBLE_MS = 300;
/** How far a double tap skips, in seconds. */
const SKIP_S = 10;
/** How long the sum of the skips is shown. */
const SHOWN_MS = 700;

interface TapsOptions {
  film: FilmPlayback;
  toggleScreen: () => void;
  /** Hides the controls. */
  rest: () => void;
  /** Draws the state again. */
  look: () => void;
}

/**
 * Presses on the pictures of a film: a click plays or pauses, a double click is full screen. With a
 * finger a tap shows and hides the controls of a film that plays, and plays another; two at a side
 * skip, and each further tap again.
 */
export function useTaps({ film, toggleScreen, rest, look }: TapsOptions) {
  const press = useRef({ isTouch: false, wasIdle: false });
  const tapped = useRef({ at: 0, side: 0 });
  const timer = useRef<ReturnType<typeof setTimeout>>();
  const [skipped, setSkipped] = useState(0);
  useEffect(() => () => clearTimeout(timer.current), []);
  useEffect(() => {
    if (skipped === 0) return;
    const hiding = setTimeout(() => setSkipped(0), SHOWN_MS);
    return () => clearTimeout(hiding);
  }, [skipped]);
  const toggle = () => {
    film.toggle();
    look();
  };
  const tap = ({ timeStamp, clientX, currentTarget }: MouseEvent) => {
    clearTimeout(timer.current);
    const { left, width } = (currentTarget as Element).getBoundingClientRect();
    const third = Math.floor((clientX - left) / width * 3);
    const side = third <= 0 ? -1 : third >= 2 ? 1 : 0;
    const { at, side: former } = tapped.current;
    tapped.current = { at: timeStamp, side };
    if (timeStamp - at < DOUBLE_MS && side === former) {
      if (side === 0) return toggleScreen();
      film.skip(side * SKIP_S);
      setSkipped((sum) => (sum * side > 0 ? sum : 0) + side * SKIP_S);
      return look();
    }
    if (press.current.wasIdle) return;
    timer.current = setTimeout(film.isPlaying ? rest : toggle, DOUBLE_MS);
  };
  return {
    /** How far the last taps have skipped, in seconds, while that is shown; 0 otherwise. */
    skipped,
    handlers: {
      onPointerDown({ pointerType, currentTarget }: PointerEvent) {
        // Controls hide while it plays alone.
        const wasIdle = film.isPlaying &&
          (currentTarget as Element).closest("[data-idle]") !== null;
        press.current = { isTouch: pointerType !== "mouse", wasIdle };
      },
      onClick(event: MouseEvent) {
        if (press.current.isTouch) tap(event);
        else toggle();
      },
      onDblClick() {
        if (!press.current.isTouch) toggleScreen();
      },
    },
  };
}
