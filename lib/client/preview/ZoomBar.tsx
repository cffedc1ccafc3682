import { ZoomIn, ZoomOut } from "lucide";
import { IconButton } from "../../../components/Button.tsx";
import type { PictureLook } from "./preview_pose.ts";
import { useTranslation } from "../core/use_translation.ts";

interface ZoomBarProps {
  look: PictureLook;
}

/** Comes closer to a picture and goes away again. */
export function ZoomBar({ look }: ZoomBarProps) {
  const { t, language } = useTranslation();
  const { zoom } = look.pose.value;
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(zoom);
  return (
    <div className="viewer__zoom" role="group" aria-label={t("preview.zoom")}>
      <IconButton label={t("preview.zoomOut")} glyph={ZoomOut} onClick={() => look.step(-1)} />
      <button
        type="button"
        className="button button--quiet viewer__percent"
        aria-label={t("preview.zoomReset", { percent })}
        title={t("preview.zoomReset", { percent })}
        onClick={() => look.reset()}
      >
        {percent}
      </button>
      <IconButton label={t("preview.zoomIn")} glyph={ZoomIn} onClick={() => look.step(1)} />
    </div>
  );
}
