import { type Signal, signal } from "@preact/signals";
import { useMay, usePage, useShared } from "./page.ts";

/** Whether the search lies open over the page. */
export function useSearchPanel(): Signal<boolean> {
  return useShared("search", () => signal(false));
}

/** Whether the sidebar lies open over the page, on screens too narrow to have it beside. */
export function useDrawer(): Signal<boolean> {
  return useShared("drawer", () => signal(false));
}

/** The shell's place on the page. */
export interface ShellPanelState {
  /** Whether this user may run commands on this server. */
  allowed: boolean;
  open: Signal<boolean>;
}

/** Whether there is a shell, and whether it is open. */
export function useShellPanel(): ShellPanelState {
  const { config } = usePage().data;
  const may = useMay();
  const open = useShared("shell-open", () => signal(false));
  return { allowed: config.EnableExec && may("execute"), open };
}
