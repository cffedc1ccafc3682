import { BookOpenText, Download, Redo2, Save, Search, Undo2, WrapText, X } from "lucide";
import { Button, IconButton } from "../../../components/Button.tsx";
import { IconLink } from "../../../components/IconLink.tsx";
import type { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { useWordWrap } from "./word_wrap.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";

interface EditorToolbarProps {
  file: TextFile;
  /** The text on screen; null until it is. */
  code: CodeView | null;
  /** Markdown is shown rendered. */
  isPage: boolean;
  /** Toggles the rendered view; absent for other texts. */
  onPage?: (isPage: boolean) => void;
  onClose: () => void;
}

/** The toolbar of the editor: above the text, on phones below it. */
export function EditorToolbar({ file, code, isPage, onPage, onClose }: EditorToolbarProps) {
  const { t } = useTranslation();
  const api = useApi();
  const wrap = useWordWrap();
  const state = file.saveState.value;
  const isWritable = file.version.value?.isWritable ?? false;
  const canWrap = code?.canWrap.value ?? true;
  return (
    <div className="editor__tools" role="toolbar" aria-label={t("editor.tools")}>
      {isWritable && (
        <>
          <Button
            look="primary"
            className="editor__save"
            glyph={Save}
            title={t("editor.saveKeys")}
            aria-disabled={state === "saved"}
            aria-busy={state === "saving"}
            onClick={() => void file.save()}
          >
            {t("buttons.save")}
          </Button>
          <IconButton
            label={t("editor.undo")}
            glyph={Undo2}
            mirror
            disabled={isPage}
            onClick={() => code?.undo()}
          />
          <IconButton
            label={t("editor.redo")}
            glyph={Redo2}
            mirror
            disabled={isPage}
            onClick={() => code?.redo()}
          />
        </>
      )}
      <IconButton
        label={t("editor.findKeys")}
        glyph={Search}
        disabled={isPage}
        onClick={() => code?.find()}
      />
      <IconButton
        label={t("editor.wrap")}
        glyph={WrapText}
        aria-pressed={wrap.now.value && canWrap}
        disabled={isPage || !canWrap}
        onClick={wrap.toggle}
      />
      <span className="editor__gap" />
      {onPage && (
        <IconButton
          label={t("editor.showPage")}
          glyph={BookOpenText}
          aria-pressed={isPage}
          onClick={() => onPage(!isPage)}
        />
      )}
      <IconLink
        href={api.rawAddress(file.path)}
        download
        label={t("editor.download")}
        glyph={Download}
      />
      <IconButton label={t("editor.closeFile")} glyph={X} onClick={onClose} />
    </div>
  );
}
