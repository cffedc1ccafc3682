import { useEffect, useMemo, useState } from "react";

/** Full screen of the page. */
export interface FullScreen {
  /** Whether the browser can show pages in full screen: phones of some makers can't. */
  isOffered: boolean;
  isOn: boolean;
  enter: () => void;
  leave: () => void;
}

/**
 * Shows the whole page in full screen, so that prompts and messages stay in sight. Ends with the
 * component.
 */
export function useFullScreen(): FullScreen {
  const [isOn, setOn] = useState(false);
  useEffect(() => {
    const follow = () => setOn(document.fullscreenElement !== null);
    follow();
    document.addEventListener("fullscreenchange", follow);
    return () => {
      document.removeEventListener("fullscreenchange", follow);
      leave();
    };
  }, []);
  // The server has no document.
  const isOffered = globalThis.document?.fullscreenEnabled ?? false;
  return useMemo(() => ({ isOffered, isOn, enter, leave }), [isOffered, isOn]);
}

function enter(): void {
  // Refused where no key or click asked for it.
  document.documentElement.requestFullscreen?.().catch(() => {});
}

function leave(): void {
  if (document.fullscreenElement) document.exitFullscreen().catch(() => {});
}

/**
 * Keeps the screen on, where the browser can. It forgets that when the page is hidden.
 *
 * @returns lets the screen go off again
 */
export function keepAwake(): () => void {
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

/** Whether a media query matches, from the first rendering in a browser on: for late code. */
export function useMediaNow(query: string): boolean {
  const [holds, setHolds] = useState(() => globalThis.matchMedia?.(query).matches ?? false);
  useEffect(() => {
    const media = matchMedia(query);
    const follow = () => setHolds(media.matches);
    media.addEventListener("change", follow);
    return () => media.removeEventListener("change", follow);
  }, [query]);
  return holds;
}
