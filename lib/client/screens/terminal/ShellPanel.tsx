import { CircleStop, Eraser, SquareTerminal, X } from "lucide";
import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { onCloseRequest } from "../../base/core/close_request.ts";
import { letterOf } from "../../base/core/keyboard.ts";
import { usePage } from "../../base/core/page.ts";
import { type Shell, useShell } from "./shell.ts";
import { useShellSize } from "./use_shell_size.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { ShellOutput } from "./ShellOutput.tsx";
import { nameOf } from "../../../shared/path.ts";
import { presentFolder, useFiles } from "../../base/files/use_files.ts";
import { formatList } from "../../base/core/format.ts";

interface ShellPanelProps {
  /** It keeps its state, and comes back with it. */
  isHidden: boolean;
  onClose: () => void;
}

/** A terminal below the listing. Its commands run in the open folder. */
export function ShellPanel({ isHidden, onClose }: ShellPanelProps) {
  const { t, i18n: { language } } = useTranslation();
  const { config, user } = usePage().data;
  const shell = useShell();
  const panel = useRef<HTMLElement>(null);
  const input = useRef<HTMLInputElement>(null);
  const { height, separator } = useShellSize(panel);
  const running = shell.running.value;
  useEffect(() => isHidden ? undefined : onCloseRequest(onClose), [isHidden]);

  // Take the focus, and restore it afterwards unless it has moved elsewhere.
  useEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    const own = panel.current;
    input.current?.focus();
    return () => {
      const at = document.activeElement;
      if (before?.isConnected && (at === document.body || own?.contains(at))) before.focus();
    };
  }, []);

  const press = (event: KeyboardEvent): boolean => {
    if (!event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return false;
    if (event.code === "Backquote") onClose();
    else if (running && letterOf(event) === "c" && document.getSelection()?.isCollapsed !== false) {
      shell.interrupt();
    } else if (!running && letterOf(event) === "l") shell.screen.clear();
    else return false;
    return true;
  };
  const commands = user?.commands ?? [];

  return (
    <section
      ref={panel}
      className="terminal"
      aria-label={t("shell.label")}
      data-own-keys
      hidden={isHidden}
      style={{ blockSize: `${height}px` }}
      onKeyDown={(event) => press(event) && event.preventDefault()}
    >
      <div
        className="terminal__edge"
        role="separator"
        tabIndex={0}
        aria-orientation="horizontal"
        aria-label={t("shell.resize")}
        {...separator}
      />
      <div className="terminal__head">
        <Icon glyph={SquareTerminal} />
        <h2 className="terminal__title">{t("shell.label")}</h2>
        <p className="terminal__hint">
          {commands.length > 0
            ? t("shell.allowed", { commands: formatList(commands, language) })
            : user?.perm.admin
            ? (
              <a href={`${config.BaseURL}/settings/users/${user.id}#field-commands`}>
                {t("shell.allowOwn")}
              </a>
            )
            : t("shell.noneAllowed")}
        </p>
        {running && (
          <IconButton
            label={t("shell.stop")}
            glyph={CircleStop}
            aria-keyshortcuts="Control+C"
            onClick={() => {
              shell.interrupt();
              input.current?.focus();
            }}
          />
        )}
        <IconButton
          label={t("shell.clear")}
          glyph={Eraser}
          onClick={() => {
            shell.screen.clear();
            input.current?.focus();
          }}
        />
        <IconButton label={t("shell.close")} glyph={X} onClick={onClose} />
      </div>
      <ShellOutput screen={shell.screen} />
      <ShellPrompt shell={shell} input={input} />
    </section>
  );
}

interface ShellPromptProps {
  shell: Shell;
  input: RefObject<HTMLInputElement>;
}

/** The input line of the shell. Up and Down go through the history. */
function ShellPrompt({ shell, input }: ShellPromptProps) {
  const { t } = useTranslation();
  const files = useFiles();
  const [text, setText] = useState("");
  const running = shell.running.value;
  const folder = nameOf(presentFolder(files)) || "/";

  const press = (event: KeyboardEvent): boolean => {
    if (event.isComposing || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) {
      return false;
    }
    if (running) return false;
    if (event.key !== "ArrowUp" && event.key !== "ArrowDown") return false;
    const found = event.key === "ArrowUp" ? shell.history.back(text) : shell.history.forward();
    if (found !== null) setText(found);
    return true;
  };

  return (
    <form
      className="terminal__prompt"
      onSubmit={(event) => {
        event.preventDefault();
        if (running) return;
        setText("");
        void shell.enter(text);
      }}
    >
      <label className="terminal__folder" htmlFor="shell-line" dir="auto">{folder}</label>
      <span aria-hidden="true">$</span>
      <input
        ref={input}
        id="shell-line"
        className="terminal__input"
        type="text"
        aria-label={t("shell.command", { name: folder })}
        value={running ? "" : text}
        placeholder={running ? t("shell.blocked") : undefined}
        readOnly={running}
        autoComplete="off"
        autoCapitalize="none"
        autoCorrect="off"
        spellcheck={false}
        enterKeyHint="send"
        onInput={(event) => setText(event.currentTarget.value)}
        onKeyDown={(event) => press(event) && event.preventDefault()}
      />
    </form>
  );
}
