import { FilePage } from "../navigation/FilePage.tsx";
import { PdfView } from "./PdfView.tsx";
import { PictureView } from "./PictureView.tsx";
import { PlayerView } from "./PlayerView.tsx";
import { TroubleView } from "./TroubleView.tsx";
import type { Resource } from "../../shared/api_types.ts";
import type { PictureLook } from "./preview_pose.ts";
import type { PreviewSource } from "./preview_source.ts";
import type { Clock } from "../core/use_clock.ts";
import { useTranslation } from "../core/use_translation.ts";

interface ContentProps {
  entry: Resource;
  /** Null when the user may not have the content. */
  source: PreviewSource | null;
  look: PictureLook;
  /** The server's clock, for the first rendering. */
  clock: Clock;
}

/** What a file holds, as its kind is looked at; else its facts, and the ways to it. */
export function Content({ entry, source, look, clock }: ContentProps) {
  const { t } = useTranslation();
  if (source?.trouble.value) {
    return <TroubleView trouble={source.trouble.value} onRetry={() => source.retry()} />;
  }
  if (source) {
    switch (entry.type) {
      case "image":
        return <PictureView entry={entry} source={source} look={look} />;
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
