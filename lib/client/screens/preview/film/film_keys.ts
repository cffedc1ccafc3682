import { letterOf } from "../../../base/core/keyboard.ts";
import type { FilmPlayback } from "./film_playback.ts";

/** The speeds to choose from. */
export const SPEEDS = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** What the keys of a film do. */
export interface FilmActions {
  film: FilmPlayback;
  /** Whether it was begun: until then arrows turn to other files. */
  isBegun: boolean;
  rate: number;
  setRate: (rate: number) => void;
  fullScreen: () => void;
  /** Shows or hides the subtitles. */
  subtitles: () => void;
  /** Opens the next film; absent without one. */
  next?: () => void;
}

/** Where the arrow keys are the element's own, and Space presses. */
const RANGE = "input[type=range]";
const PRESSED =
  "a[href], button, summary, select, input, textarea, [contenteditable], dialog, [popover]";

/** How far arrows and letters skip, in seconds, and the step of the volume. */
const [NEAR_S, FAR_S, LOUDER] = [5, 10, 0.05];

/** The handler of keys of a film. @returns whether the key was one */
export function filmKey(event: KeyboardEvent, actions: FilmActions): boolean {
  const { key, altKey, ctrlKey, metaKey, target, isComposing } = event;
  if (altKey || ctrlKey || metaKey || isComposing) return false;
  const element = target instanceof Element ? target : null;
  const isRange = element?.matches(RANGE) ?? false;
  const typed = element?.closest(PRESSED) ?? null;
  const isPressed = typed !== null && !isRange;
  // In dialogs, menus and fields.
  if (isPressed && !typed.matches("button, a[href], summary")) return false;
  const { film, isBegun } = actions;
  const isInside = element?.closest(".film") !== null && element !== null;
  const mayMove = !isRange && (isBegun || isInside);
  switch (key) {
    case " ":
      if (isPressed || event.repeat) return false;
      film.toggle();
      return true;
    case "ArrowLeft":
    case "ArrowRight":
      if (!mayMove || event.shiftKey) return false;
      film.skip(key === "ArrowLeft" ? -NEAR_S : NEAR_S);
      return true;
    case "ArrowUp":
    case "ArrowDown":
      if (!mayMove || event.shiftKey) return false;
      film.setVolume(film.choices.peek().volume + (key === "ArrowUp" ? LOUDER : -LOUDER));
      return true;
    case "Home":
    case "End":
      if (!mayMove || event.shiftKey) return false;
      film.seek(key === "Home" ? 0 : film.duration);
      return true;
    case "<":
    case ">": {
      const at = SPEEDS.findIndex((speed) => speed === actions.rate);
      const speed = SPEEDS[at + (key === "<" ? -1 : 1)];
      if (speed !== undefined) actions.setRate(speed);
      return true;
    }
  }
  const tenths = /^[0-9]$/.test(key) ? Number(key) : null;
  if (tenths === null) return press(event, actions);
  if (!isBegun && !isInside) return false;
  film.seek(film.duration * tenths / 10);
  return true;
}

function press(event: KeyboardEvent, actions: FilmActions): boolean {
  const { film } = actions;
  const letter = letterOf(event);
  if (event.shiftKey) {
    if (letter !== "n" || !actions.next) return false;
    actions.next();
    return true;
  }
  switch (letter) {
    case "k":
      if (!event.repeat) film.toggle();
      return true;
    case "j":
      film.skip(-FAR_S);
      return true;
    case "l":
      film.skip(FAR_S);
      return true;
    case "m":
      film.mute(!film.choices.peek().isMuted);
      return true;
    case "c":
      actions.subtitles();
      return true;
    case "f":
      actions.fullScreen();
      return true;
    default:
      return false;
  }
}
