import { type Signal, signal } from "@preact/signals";
import { useMay, usePage, useShared } from "./page.ts";

/** Whether the search panel is open. */
export function useSearchPanel(): Signal<boolean> {
  return useShared("search", () => signal(false));
}

/** Whether the sidebar is open as a drawer, on narrow screens. */
export function useDrawer(): Signal<boolean> {
  return useShared("drawer", () => signal(false));
}

/** The shell's place on the page. */
export interface ShellPanelState {
  /** Whether this user may run commands on this server. */
  allowed: boolean;
  open: Signal<boolean>;
}

/** Whether the shell is available, and whether it is open. */
export function useShellPanel(): ShellPanelState {
  const { config } = usePage().data;
  const may = useMay();
  const open = useShared("shell-open", () => signal(false));
  return { allowed: config.EnableExec && may("execute"), open };
}
