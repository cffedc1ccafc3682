import { type RefObject, useState } from "react";
import { useTranslation } from "react-i18next";
import { nameOf } from "../../../shared/path.ts";
import type { Shell } from "./shell.ts";
import { presentFolder, useFiles } from "../../base/files/use_files.ts";

interface ShellPromptProps {
  shell: Shell;
  input: RefObject<HTMLInputElement>;
}

/** The input line of the shell. Up and Down go through the history. */
export function ShellPrompt({ shell, input }: ShellPromptProps) {
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
