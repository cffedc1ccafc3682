import { type Signal, signal } from "@preact/signals";
import { useMay, usePage } from "../core/page.ts";
import { useShared } from "../core/shared.ts";

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
