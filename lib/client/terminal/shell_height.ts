import { type BrowserStorage, keepIn } from "../core/browser_storage.ts";

const KEY = "cubby-shell-height";

/** How low the panel may be, in pixels. */
export const LOWEST = 140;

/** How high it is unless somebody has chosen. */
export const USUAL = 288;

/** How much one press of an arrow key changes, in pixels. */
const KEY_STEP = 24;

/** A height within its bounds. */
export function boundHeight(height: number, highest: number): number {
  return Math.round(Math.max(LOWEST, Math.min(height, Math.max(LOWEST, highest))));
}

/** What a key on the separator makes of a height; null when it means nothing there. */
export function heightByKey(key: string, height: number, highest: number): number | null {
  const wanted: Record<string, number> = {
    ArrowUp: height + KEY_STEP,
    ArrowDown: height - KEY_STEP,
    PageUp: height + 4 * KEY_STEP,
    PageDown: height - 4 * KEY_STEP,
    Home: LOWEST,
    End: highest,
    Enter: USUAL,
  };
  const next = wanted[key];
  return next === undefined ? null : boundHeight(next, highest);
}

/** The height that was chosen last. */
export function readHeight(storage: Pick<BrowserStorage, "getItem">): number {
  const stored = Number(storage.getItem(KEY));
  return stored >= LOWEST ? stored : USUAL;
}

/** Remembers a height. */
export function keepHeight(storage: Pick<BrowserStorage, "setItem">, height: number): void {
  keepIn(storage, KEY, String(height));
}
