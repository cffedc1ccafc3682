import { BookOpenText, CodeXml, Pencil, Redo2, Save, Search, Undo2, WrapText } from "lucide";
import type { TFunction } from "i18next";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import type { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { useWordWrap } from "./kept_choice.ts";
import { encodingName } from "./text_tools.ts";
import type { RoomState, TextRoom } from "./text_room.ts";

interface FirstActionProps {
  file: TextFile;
  /** The text is shown to be read: rendered, or as a table. */
  isPage: boolean;
  /** Shows it to be read, or in the editor. */
  onPage: (isPage: boolean) => void;
}

/** The first action of a text that can be read and edited: the other of both. */
export function FirstAction({ file, isPage, onPage }: FirstActionProps) {
  const { t } = useTranslation();
  if (!isPage) {
    return (
      <Button glyph={BookOpenText} onClick={() => onPage(true)}>{t("editor.showPage")}</Button>
    );
  }
  const isWritable = file.isWritable.value;
  return (
    <>
      {isWritable
        ? (
          <Button variant="primary" glyph={Pencil} onClick={() => onPage(false)}>
            {t("editor.edit")}
          </Button>
        )
        : <Button glyph={CodeXml} onClick={() => onPage(false)}>{t("editor.source")}</Button>}
      {isWritable && file.saveState.value !== "saved" && <SaveButton file={file} />}
    </>
  );
}

function SaveButton({ file, variant }: { file: TextFile; variant?: "primary" }) {
  const { t } = useTranslation();
  const state = file.saveState.value;
  const isAhead = file.room.value?.isAhead.value;
  return (
    <Button
      variant={variant}
      className="editor__save"
      glyph={Save}
      title={t("editor.saveKeys")}
      // In a room the server writes the file by itself, and at once when it is asked to.
      aria-disabled={isAhead === undefined ? state === "saved" : !isAhead}
      aria-busy={isAhead === undefined && state === "saving"}
      onClick={() => void file.save()}
    >
      {t(isAhead === false ? "editor.state.saved" : "buttons.save")}
    </Button>
  );
}

interface EditorToolbarProps {
  file: TextFile;
  /** The text on screen; null until it is. */
  code: CodeView | null;
}

/** The tools of the editor: above the text, on phones below it. */
export function EditorToolbar({ file, code }: EditorToolbarProps) {
  const { t } = useTranslation();
  const wrap = useWordWrap();
  const isWritable = file.isWritable.value;
  const canWrap = code?.canWrap.value ?? true;
  return (
    <div className="editor__tools" role="toolbar" aria-label={t("editor.tools")}>
      {isWritable && (
        <>
          <SaveButton file={file} variant="primary" />
          <IconButton
            label={t("editor.undo")}
            glyph={Undo2}
            mirror
            onClick={() => code?.undo()}
          />
          <IconButton
            label={t("editor.redo")}
            glyph={Redo2}
            mirror
            onClick={() => code?.redo()}
          />
        </>
      )}
      <IconButton label={t("editor.findKeys")} glyph={Search} onClick={() => code?.find()} />
      <IconButton
        label={t("editor.wrap")}
        glyph={WrapText}
        aria-pressed={wrap.now.value && canWrap}
        disabled={!canWrap}
        onClick={() => wrap.set(!wrap.now.peek())}
      />
    </div>
  );
}

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
  const room = file.room.value;
  if (version === null) return null;
  return (
    <div className="editor__status">
      {room
        ? <RoomStatus room={room} />
        : (
          <span className="editor__state" data-state={state} role="status">
            {version.isWritable ? t(`editor.state.${state}`) : t("editor.readOnly")}
          </span>
        )}
      {code && <Position code={code} />}
      <span data-usual={version.lineEnding === "lf" || undefined}>
        {t(`editor.lineEnding.${version.lineEnding}`)}
      </span>
      <span data-usual={version.encoding === "utf-8" || undefined}>
        {encodingName(version.encoding)}
      </span>
      <span>{language ?? t("editor.plainText")}</span>
    </div>
  );
}

/** A text that takes so long to reach the server is said to be on its way, in milliseconds. */
const STEADY_MS = 600;

/** How a text stands that is edited with others. What passes at once is not said. */
function RoomStatus({ room }: { room: TextRoom }) {
  const { t } = useTranslation();
  const state = room.state.value;
  const [shown, setShown] = useState(state);
  useEffect(() => {
    if (state !== "saving") return setShown(state);
    const timer = setTimeout(() => setShown(state), STEADY_MS);
    return () => clearTimeout(timer);
  }, [state]);
  const isFollowing = !room.mayEdit.value && shown === "saved";
  return (
    <span
      className="editor__state"
      data-room={state}
      data-state={isFollowing ? undefined : COLOURS[shown]}
      role="status"
    >
      {!isFollowing
        ? wordsOf(t, shown)
        : room.people.value.some(({ right }) => right === "edit")
        ? t("coediting.follows")
        : t("editor.readOnly")}
    </span>
  );
}

function wordsOf(t: TFunction, state: RoomState): string {
  switch (state) {
    case "saved":
      return t("coediting.saved");
    case "saving":
      return t("editor.state.saving");
    case "offline":
      return t("coediting.offline");
    case "failed":
      return t("editor.state.failed");
  }
}

const COLOURS = {
  saved: "saved",
  saving: "saving",
  offline: "unsaved",
  failed: "failed",
} as const;

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
