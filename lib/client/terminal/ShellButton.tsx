import { SquareTerminal } from "lucide";
import { useShellPanel } from "./use_shell_panel.ts";
import { useTranslation } from "../core/use_translation.ts";
import { IconButton } from "../../../components/Button.tsx";

/** Opens and closes the shell, where there is one. */
export function ShellButton() {
  const { t } = useTranslation();
  const { allowed, open } = useShellPanel();
  if (!allowed) return null;
  return (
    <IconButton
      className="header__wide"
      label={t("shell.label")}
      glyph={SquareTerminal}
      aria-pressed={open.value}
      aria-keyshortcuts="Control+`"
      onClick={() => open.value = !open.value}
    />
  );
}
