import { ExternalLink, EyeOff } from "lucide";
import { useEffect, useState } from "react";
import { FilePage } from "../navigation/FilePage.tsx";
import { PictureView } from "./PictureView.tsx";
import { PlayerView } from "./PlayerView.tsx";
import type { Entry, Resource } from "../../shared/api_types.ts";
import type { ImageViewport } from "./image_viewport.ts";
import type { PreviewSource, Trouble } from "./preview_source.ts";
import type { Clock } from "../../shared/clock.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { ErrorScreen, StatusScreen } from "../../../components/StatusScreen.tsx";
import { Icon } from "../../../components/Icon.tsx";

interface ContentProps {
  entry: Resource;
  /** Null without permission to read the content. */
  source: PreviewSource | null;
  viewport: ImageViewport;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** The preview of a file by its type; for other types its details and links. */
export function Content({ entry, source, viewport, clock }: ContentProps) {
  const { t } = useTranslation();
  if (source?.trouble.value) {
    return <TroubleView trouble={source.trouble.value} onRetry={() => source.retry()} />;
  }
  if (source) {
    switch (entry.type) {
      case "image":
        return <PictureView entry={entry} source={source} viewport={viewport} />;
      case "audio":
      case "video":
        return <PlayerView entry={entry} source={source} />;
      case "pdf":
        return <PdfView entry={entry} source={source} />;
    }
  }
  return (
    <div className="viewer__facts">
      <FilePage entry={entry} clock={clock} />
      {source && <p className="viewer__note">{t("preview.none")}</p>}
    </div>
  );
}

interface TroubleViewProps {
  trouble: Trouble;
  onRetry: () => void;
}

/** Explains why a file is not shown, and offers actions. */
function TroubleView({ trouble, onRetry }: TroubleViewProps) {
  const { t } = useTranslation();
  if (trouble.is === "unknown_format") {
    return (
      <StatusScreen
        glyph={EyeOff}
        title={t("preview.unknownTitle")}
        text={t("preview.unknownText")}
      />
    );
  }
  return (
    <ErrorScreen status={trouble.why.status}>
      <Button onClick={onRetry}>{t("buttons.retry")}</Button>
    </ErrorScreen>
  );
}

interface PdfViewProps {
  entry: Entry;
  source: PreviewSource;
}

/** A PDF in the browser's viewer; a link to it where the browser has none. */
function PdfView({ entry, source }: PdfViewProps) {
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
