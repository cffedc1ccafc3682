import { Pause, Play, Repeat, X } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { useEffect, useRef, useState } from "react";
import type { EntryType } from "../../../shared/schemas/choices/choices.ts";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { type BrowserStorage, keepIn, openLocalStorage } from "../../base/core/browser_storage.ts";
import { type FullScreen, keepAwake } from "./use_screen.ts";
import type { Neighbourhood } from "./use_neighbourhood.ts";
import { type ReadonlySignal, signal } from "@preact/signals";

/** The controls of a slideshow while there is one. */
export function SlideshowBar({ show }: { show: Slideshow }) {
  const { t, i18n: { language } } = useTranslation();
  const isPlaying = show.state.value === "playing";
  const format = new Intl.NumberFormat(language, { style: "unit", unit: "second" });
  return (
    <div className="viewer__zoom" role="group" aria-label={t("preview.slideshow")}>
      <IconButton
        label={t(isPlaying ? "buttons.pause" : "buttons.resume")}
        glyph={isPlaying ? Pause : Play}
        onClick={() => isPlaying ? show.pause() : show.play()}
      />
      <select
        className="viewer__interval"
        aria-label={t("preview.interval")}
        value={show.seconds.value}
        onChange={({ currentTarget }) => show.every(Number(currentTarget.value))}
      >
        {INTERVALS.map((seconds) => (
          <option key={seconds} value={seconds}>{format.format(seconds)}</option>
        ))}
      </select>
      <IconButton
        label={t("preview.repeat")}
        glyph={Repeat}
        aria-pressed={show.repeats.value}
        onClick={() => show.repeat(!show.repeats.peek())}
      />
      <IconButton label={t("buttons.stop")} glyph={X} onClick={() => show.stop()} />
    </div>
  );
}

/** The kinds of files in a slideshow; sounds and documents are skipped. */
const SHOWN: ReadonlySet<EntryType> = new Set<EntryType>(["image", "video"]);

interface SlideshowProps {
  entry: Entry;
  viewer: Pick<Neighbourhood, "skipTo">;
  /** Whether the file is on screen, or the reason why it is not. */
  isShown: boolean;
  fullScreen: FullScreen;
}

/** The slideshow of a preview; null where it has nothing to show. It is seen in full screen. */
export function useSlideshow({ entry, viewer, isShown, fullScreen }: SlideshowProps) {
  const latest = useRef({ viewer, fullScreen });
  latest.current = { viewer, fullScreen };
  const [show] = useState(() =>
    new Slideshow({
      next: (again) => latest.current.viewer.skipTo(SHOWN, again),
      storage: openLocalStorage(),
      onPlaying: (isPlaying) => isPlaying && latest.current.fullScreen.enter(),
    })
  );
  const state = show.state.value;

  useEffect(() => isShown ? show.shown() : show.opened(), [entry.path, isShown]);
  useEffect(() => () => show.stop(), [show]);
  useEffect(() => {
    if (!SHOWN.has(entry.type)) show.stop();
  }, [entry.type]);
  useEffect(() => state === "playing" ? keepAwake() : undefined, [state]);
  // The browser's own way out of full screen is meant for the slideshow, too.
  const wasFull = useRef(false);
  useEffect(() => {
    if (wasFull.current && !fullScreen.isOn) show.stop();
    wasFull.current = fullScreen.isOn;
  }, [fullScreen.isOn]);

  return SHOWN.has(entry.type) ? show : null;
}

/** The intervals that can be chosen, in seconds. */
const INTERVALS = [3, 5, 10, 30] as const;

/** Where the browser keeps the choices. */
const KEY = "slideshow";

/** The dependencies of a slideshow. */
interface SlideshowOptions {
  /**
   * Shows the next file.
   *
   * @param again whether the first one follows the last
   * @returns whether there was one
   */
  next: (again: boolean) => Promise<boolean>;
  storage: Pick<BrowserStorage, "getItem" | "setItem">;
  /** Called when it starts (true) and when it ends or pauses (false). */
  onPlaying: (isPlaying: boolean) => void;
}

/** `off`: none; `paused`: its controls are there, but nothing moves. */
type SlideshowState = "off" | "playing" | "paused";

/**
 * Shows one file after the other. The time of a picture begins when it is on screen, so that none
 * is skipped over a slow line; a video lasts until its end.
 */
export class Slideshow {
  readonly #options: SlideshowOptions;
  readonly #state = signal<SlideshowState>("off");
  readonly #seconds = signal<number>(5);
  readonly #repeats = signal(false);
  #timer: ReturnType<typeof setTimeout> | undefined;
  /** Whether the present file is on screen, and waits for its time to pass. */
  #isShown = false;

  /** Whether it plays. */
  readonly state: ReadonlySignal<SlideshowState> = this.#state;
  /** How long a picture is shown, in seconds. */
  readonly seconds: ReadonlySignal<number> = this.#seconds;
  /** Whether the first file follows the last. */
  readonly repeats: ReadonlySignal<boolean> = this.#repeats;

  /** @param options shows files, and keeps the choices */
  constructor(options: SlideshowOptions) {
    this.#options = options;
    const [seconds, repeats] = (options.storage.getItem(KEY) ?? "").split(" ");
    this.#seconds.value = INTERVALS.find((one) => one === Number(seconds)) ?? 5;
    this.#repeats.value = repeats === "repeat";
  }

  /** Starts, or goes on. */
  play(): void {
    if (this.#state.peek() === "playing") return;
    this.#state.value = "playing";
    this.#options.onPlaying(true);
    if (this.#isShown) this.#wait();
  }

  /** Holds the present file. */
  pause(): void {
    if (this.#state.peek() === "playing") this.#rest("paused");
  }

  /** Ends it. */
  stop(): void {
    if (this.#state.peek() !== "off") this.#rest("off");
  }

  /** Call it when another file is opened; it is not on screen yet. */
  opened(): void {
    clearTimeout(this.#timer);
    this.#isShown = false;
  }

  /** Call it when the open picture, or the reason why there is none, is on screen. */
  shown(): void {
    this.#isShown = true;
    if (this.#state.peek() === "playing") this.#wait();
  }

  /** Call it at the end of a video. */
  ended(): void {
    if (this.#state.peek() === "playing") void this.#advance();
  }

  /** Sets the interval, in seconds. */
  every(seconds: number): void {
    this.#seconds.value = seconds;
    this.#keep();
    if (this.#isShown && this.#state.peek() === "playing") this.#wait();
  }

  /** Sets whether it begins again after the last file. */
  repeat(repeats: boolean): void {
    this.#repeats.value = repeats;
    this.#keep();
  }

  #rest(state: SlideshowState): void {
    clearTimeout(this.#timer);
    this.#state.value = state;
    this.#options.onPlaying(false);
  }

  #wait(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.#advance(), this.#seconds.peek() * 1000);
  }

  async #advance(): Promise<void> {
    const hasMoved = await this.#options.next(this.#repeats.peek());
    if (!hasMoved && this.#state.peek() === "playing") this.#rest("paused");
  }

  #keep(): void {
    const repeats = this.#repeats.peek() ? "repeat" : "once";
    keepIn(this.#options.storage, KEY, `${this.#seconds.peek()} ${repeats}`);
  }
}
