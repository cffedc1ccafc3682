import { type Signal, signal } from "@preact/signals";
import type { EntryPath } from "../../../shared/path.ts";
import { useShared } from "../core/page.ts";

/** What a recipient who may edit can do with the open file of a share. */
export type ShareAction = "rename" | "move" | "delete" | "replace";

/** The viewer of a shared file, and the tools to change the file: islands of their own. */
interface ShareTools {
  /** The file in the viewer; null while none is there. */
  opened: Signal<EntryPath | null>;
  /** Acts on it; null for those who may not change it. */
  act: Signal<((action: ShareAction) => void) | null>;
}

/** See {@linkcode ShareTools}. */
export function useShareTools(): ShareTools {
  return useShared("share-tools", () => ({ opened: signal(null), act: signal(null) }));
}
