import { ArrowLeft, Download, ExternalLink, Trash2 } from "lucide";
import { IconButton } from "../Button.tsx";
import { Icon } from "../Icon.tsx";
import { parsePath } from "../../lib/access/path.ts";
import type { Entry } from "../../lib/api_types.ts";
import { formatBytes } from "../../lib/client/format.ts";
import { inlineAddress } from "../../lib/client/preview_source.ts";
import { useApi } from "../../lib/client/use_site.ts";
import { useTranslation } from "../../lib/i18n/use_translation.ts";

interface ViewerHeadProps {
  entry: Entry;
  onClose: () => void;
  /** Absent when the user may not. */
  onDelete?: () => void;
  onDownload?: () => void;
}

/** The line over a file: the way back, its name, and what can be done with it. */
export function ViewerHead({ entry, onClose, onDelete, onDownload }: ViewerHeadProps) {
  const { t, language } = useTranslation();
  const api = useApi();
  return (
    <header className="viewer__head">
      <IconButton label={t("preview.close")} glyph={ArrowLeft} mirror onClick={onClose} />
      <h1 className="viewer__name" title={entry.name} dir="auto">{entry.name}</h1>
      <p className="viewer__size">{formatBytes(entry.size, language)}</p>
      <div className="viewer__acts">
        {onDelete && <IconButton label={t("buttons.delete")} glyph={Trash2} onClick={onDelete} />}
        {onDownload && (
          <>
            <a
              className="button button--quiet button--icon"
              href={inlineAddress(api, parsePath(entry.path).path)}
              target="_blank"
              rel="noopener"
              aria-label={t("preview.open")}
              title={t("preview.open")}
            >
              <Icon glyph={ExternalLink} />
            </a>
            <IconButton label={t("buttons.download")} glyph={Download} onClick={onDownload} />
          </>
        )}
      </div>
    </header>
  );
}
