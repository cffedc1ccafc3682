import { type Signal, signal } from "@preact/signals";
import { useShared } from "../core/shared.ts";

/** Whether the search lies open over the page. */
export function useSearchPanel(): Signal<boolean> {
  return useShared("search", () => signal(false));
}
