import type { EntryPath } from "../../../shared/path.ts";
import { keepIn, openTabStorage } from "../../base/core/browser_storage.ts";

/** The way back of a change in a share: what was deleted is put back, what was moved moves back. */
export type WayBack = { restore: string } | { from: EntryPath; to: EntryPath };

/** The outcome of a change, which is told once the page is there anew. */
export interface EditNotice {
  /** The share's address. */
  hash: string;
  /** "" where nothing was done. */
  text: string;
  errors: readonly string[];
  undo: readonly WayBack[];
  /** The name of the row that gets the focus. */
  focus?: string;
}

const key = "cubby-share-notice";

/** Keeps a notice for the page that is loaded next in this tab. */
export function keepNotice(notice: EditNotice): void {
  keepIn(openTabStorage(), key, JSON.stringify(notice));
}

/** Takes the notice of a share, once. */
export function takeNotice(hash: string): EditNotice | null {
  const storage = openTabStorage();
  const text = storage.getItem(key);
  storage.removeItem(key);
  const notice = text === null ? null : JSON.parse(text) as EditNotice;
  return notice?.hash === hash ? notice : null;
}
