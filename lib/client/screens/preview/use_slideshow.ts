import { useEffect, useRef, useState } from "react";
import type { Entry, EntryType } from "../../../shared/api_types.ts";
import { openLocalStorage } from "../../base/core/browser_storage.ts";
import { Slideshow } from "./slideshow.ts";
import type { FullScreen } from "./use_screen.ts";
import type { Viewer } from "./use_viewer.ts";

/** The kinds of files in a slideshow; sounds and documents are skipped. */
const SHOWN: ReadonlySet<EntryType> = new Set<EntryType>(["image", "video"]);

interface SlideshowProps {
  entry: Entry;
  viewer: Pick<Viewer, "skipTo">;
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

/**
 * Keeps the screen on, where the browser can. It forgets that when the page is hidden.
 *
 * @returns lets the screen go off again
 */
function keepAwake(): () => void {
  const { wakeLock } = navigator as Partial<Pick<Navigator, "wakeLock">>;
  let isWanted = true;
  let lock: WakeLockSentinel | null = null;
  const ask = async () => {
    if (!isWanted || document.visibilityState !== "visible") return;
    lock = await wakeLock?.request("screen").catch(() => null) ?? null;
    if (!isWanted) void lock?.release();
  };
  void ask();
  document.addEventListener("visibilitychange", ask);
  return () => {
    isWanted = false;
    document.removeEventListener("visibilitychange", ask);
    void lock?.release();
  };
}
