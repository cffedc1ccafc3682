import { type Signal, signal } from "@preact/signals";
import { useShared } from "../core/shared.ts";

/** Whether the sidebar lies open over the page, on screens too narrow to have it beside. */
export function useDrawer(): Signal<boolean> {
  return useShared("drawer", () => signal(false));
}
