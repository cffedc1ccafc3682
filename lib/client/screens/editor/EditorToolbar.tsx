import { BookOpenText, Download, Pencil, Redo2, Save, Search, Undo2, WrapText, X } from "lucide";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { IconLink } from "../../../../components/IconLink.tsx";
import type { CodeView } from "./code_view.ts";
import type { TextFile } from "./text_file.ts";
import { useWordWrap } from "./kept_choice.ts";
import { useApi } from "../../base/core/use_site.ts";

interface EditorToolbarProps {
  file: TextFile;
  /** The text on screen; null until it is. */
  code: CodeView | null;
  /** The text is shown to be read: rendered, or as a table. */
  isPage: boolean;
  /** Shows it to be read, or in the editor; absent for other texts. */
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
      {isPage && (
        <Button variant="primary" glyph={Pencil} onClick={() => onPage?.(false)}>
          {t(isWritable ? "editor.edit" : "editor.source")}
        </Button>
      )}
      {isWritable && (!isPage || state !== "saved") && (
        <>
          <Button
            variant={isPage ? "plain" : "primary"}
            className="editor__save"
            glyph={Save}
            title={t("editor.saveKeys")}
            aria-disabled={state === "saved"}
            aria-busy={state === "saving"}
            onClick={() => void file.save()}
          >
            {t("buttons.save")}
          </Button>
          {!isPage && (
            <>
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
        </>
      )}
      {!isPage && (
        <>
          <IconButton
            label={t("editor.findKeys")}
            glyph={Search}
            onClick={() => code?.find()}
          />
          <IconButton
            label={t("editor.wrap")}
            glyph={WrapText}
            aria-pressed={wrap.now.value && canWrap}
            disabled={!canWrap}
            onClick={() => wrap.set(!wrap.now.peek())}
          />
        </>
      )}
      <span className="editor__gap" />
      {onPage && !isPage && (
        <Button
          variant="quiet"
          glyph={BookOpenText}
          onClick={() => onPage(true)}
        >
          {t("editor.showPage")}
        </Button>
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
