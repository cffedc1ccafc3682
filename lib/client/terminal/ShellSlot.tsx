import { useShellPanel } from "./use_shell_panel.ts";
import { useLate } from "../core/use_late.ts";

/** The shell while it is open; it is loaded when it first is. */
export function ShellSlot() {
  const { allowed, open } = useShellPanel();
  const late = useLate(open.value, () => import("./ShellPanel.tsx"));
  if (!allowed || !open.value || !late) return null;
  return <late.ShellPanel onClose={() => open.value = false} />;
}
