import { ExternalLink } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { FilePage } from "../../files_page/layout/FilePage.tsx";
import { mayBeLargeText } from "./large_text.ts";
import { LargeTextView } from "./LargeTextView.tsx";
import { PictureView } from "./picture/PictureView.tsx";
import { PlayerView } from "./player/PlayerView.tsx";
import { LateReader, readerOf } from "./Reader.tsx";
import type { Entry, Resource } from "../../../shared/api_types.ts";
import type { ImageViewport } from "./picture/image_viewport.ts";
import type { PreviewSource } from "./preview_source.ts";
import type { Clock } from "../../../shared/clock.ts";
import { Button } from "../../../../components/Button.tsx";
import { ErrorScreen, StatusScreen } from "../../../../components/StatusScreen.tsx";
import { Icon } from "../../../../components/Icon.tsx";

interface ContentProps {
  entry: Resource;
  /** Null without permission to read the content. */
  source: PreviewSource | null;
  viewport: ImageViewport;
  /** Plays a sound or video at once. */
  autoPlay: boolean;
  /** Called at the end of a sound or video. */
  onEnded: () => void;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** The preview of a file by its type; for other types its details and links. */
export function Content(
  { entry, source, viewport, autoPlay, onEnded, clock }: ContentProps,
) {
  const { t } = useTranslation();
  const trouble = source?.trouble.value;
  if (source && trouble?.is === "refused") {
    return (
      <ErrorScreen status={trouble.why.status}>
        <Button onClick={() => source.retry()}>{t("buttons.retry")}</Button>
      </ErrorScreen>
    );
  }
  // One screen for all that can't be shown, with its reason.
  const facts = (
    <div className="viewer__facts">
      <FilePage entry={entry} clock={clock} />
      {source && (
        <p className="viewer__note">{t(trouble ? "preview.unknownText" : "preview.none")}</p>
      )}
    </div>
  );
  if (trouble) return facts;
  if (source) {
    switch (entry.type) {
      case "image":
        return <PictureView entry={entry} source={source} viewport={viewport} />;
      case "audio":
      case "video":
        return <PlayerView entry={entry} source={source} autoPlay={autoPlay} onEnded={onEnded} />;
      case "pdf":
        return <PdfView entry={entry} source={source} />;
    }
  }
  const code = source && readerOf(entry);
  if (code) return <LateReader code={code} entry={entry} source={source} clock={clock} />;
  if (!source || !mayBeLargeText(entry)) return facts;
  return <LargeTextView entry={entry} source={source} otherwise={facts} />;
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
