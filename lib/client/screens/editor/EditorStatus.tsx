import { useTranslation } from "react-i18next";
import type { CodeView } from "./code_view.ts";
import { encodingName } from "./text_tools.ts";
import type { TextFile } from "./text_file.ts";

interface EditorStatusProps {
  file: TextFile;
  /** The text on screen; null until it is. */
  code: CodeView | null;
  /** The name of the language; undefined for plain text. */
  language?: string;
}

/** The status bar of the editor: saved or not, cursor, encoding and line endings. */
export function EditorStatus({ file, code, language }: EditorStatusProps) {
  const { t } = useTranslation();
  const version = file.version.value;
  const state = file.saveState.value;
  if (version === null) return null;
  return (
    <div className="editor__status">
      <span className="editor__state" data-state={state} role="status">
        {version.isWritable ? t(`editor.state.${state}`) : t("editor.readOnly")}
      </span>
      {code && <Position code={code} />}
      <span>{t(`editor.lineEnding.${version.lineEnding}`)}</span>
      <span>{encodingName(version.encoding)}</span>
      <span>{language ?? t("editor.plainText")}</span>
    </div>
  );
}

/** A component of its own, as it changes with every move of the cursor. */
function Position({ code }: { code: CodeView }) {
  const { t } = useTranslation();
  const { line, column, selected } = code.position.value;
  return (
    <button
      type="button"
      className="editor__position"
      title={t("editor.goToLine")}
      onClick={() => code.goToLine()}
    >
      {selected > 0
        ? t("editor.selected", { count: selected })
        : t("editor.position", { line, column })}
    </button>
  );
}
