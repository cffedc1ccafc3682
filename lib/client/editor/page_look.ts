import { type Signal, signal } from "@preact/signals";
import type { Text } from "@codemirror/state";
import { useShared } from "../core/shared.ts";

/** Longer documents take a browser many seconds to lay out. */
const TOO_LONG = 500_000;

/**
 * Whether documents are shown as the pages that they describe. It holds from one document to the
 * next, so that whoever follows a link goes on reading.
 */
export function usePageLook(): Signal<boolean> {
  return useShared("pageLook", () => signal(false));
}

/** Whether a document is short enough to be shown as a page. */
export function canBePage(text: Text): boolean {
  return text.length <= TOO_LONG;
}
