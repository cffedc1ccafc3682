import { ArrowLeft, ExternalLink } from "lucide";
import { IconButton } from "../../../components/Button.tsx";
import { COMMAND_GLYPHS } from "../menu/glyphs.ts";
import { IconLink } from "../../../components/IconLink.tsx";
import { parsePath } from "../../shared/path.ts";
import type { Entry } from "../../shared/api_types.ts";
import { formatBytes } from "../core/format.ts";
import { inlineAddress } from "./preview_source.ts";
import { useFiles } from "../navigation/use_files.ts";
import { useMay } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";
import { displayName } from "../../shared/entry_names.ts";
import { useTranslation } from "../core/use_translation.ts";

interface ViewerHeadProps {
  entry: Entry;
  onClose: () => void;
  onDelete: () => void;
}

/** The line above a file: the way back, its name, and its actions. */
export function ViewerHead({ entry, onClose, onDelete }: ViewerHeadProps) {
  const { t, language } = useTranslation();
  const may = useMay();
  const { actions } = useFiles();
  const api = useApi();
  const isThere = entry.type !== "invalid_link";
  return (
    <header className="viewer__head">
      <IconButton label={t("preview.close")} glyph={ArrowLeft} mirror onClick={onClose} />
      <h1 className="viewer__name" title={displayName(entry.name)} dir="auto">
        {displayName(entry.name)}
      </h1>
      <p className="viewer__size">{isThere && formatBytes(entry.size, language)}</p>
      <div className="viewer__acts">
        <IconButton
          label={t("buttons.info")}
          glyph={COMMAND_GLYPHS.info}
          onClick={() => void actions.info()}
        />
        {may("rename") && (
          <IconButton
            label={t("buttons.rename")}
            glyph={COMMAND_GLYPHS.rename}
            onClick={() => void actions.rename()}
          />
        )}
        {may("delete") && (
          <IconButton
            label={t("buttons.delete")}
            glyph={COMMAND_GLYPHS.delete}
            onClick={onDelete}
          />
        )}
        {isThere && may("download") && (
          <>
            <IconLink
              className="viewer__open"
              href={inlineAddress(api, parsePath(entry.path).path)}
              target="_blank"
              rel="noopener"
              label={t("preview.open")}
              glyph={ExternalLink}
            />
            <IconButton
              label={t("buttons.download")}
              glyph={COMMAND_GLYPHS.download}
              onClick={() => void actions.downloadSelection()}
            />
          </>
        )}
      </div>
    </header>
  );
}
