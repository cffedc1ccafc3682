import { useEffect, useState } from "react";
import { ExternalLink } from "lucide";
import { Icon } from "../../../components/Icon.tsx";
import { StatusScreen } from "../../../components/StatusScreen.tsx";
import type { Entry } from "../../shared/api_types.ts";
import type { PreviewSource } from "./preview_source.ts";
import { useTranslation } from "../core/use_translation.ts";

interface PdfViewProps {
  entry: Entry;
  source: PreviewSource;
}

/** A PDF in the browser's own viewer; a link to it where the browser has none. */
export function PdfView({ entry, source }: PdfViewProps) {
  const { t } = useTranslation();
  const [isChecked, setChecked] = useState(false);
  const address = source.address.value;
  useEffect(() => {
    void source.check().then((isThere) => isThere && setChecked(true));
  }, [source]);

  if (!isChecked) return <p className="unseen" role="status">{t("files.loading")}</p>;
  if (navigator.pdfViewerEnabled === false) {
    return (
      <StatusScreen glyph={ExternalLink} title={entry.name} text={t("preview.noPdf")}>
        <a className="button button--primary" href={address} target="_blank" rel="noopener">
          <Icon glyph={ExternalLink} />
          {t("buttons.open")}
        </a>
      </StatusScreen>
    );
  }
  return <iframe className="viewer__paper" src={address} title={entry.name} />;
}
