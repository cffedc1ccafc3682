import { Maximize, Minimize, Play, RotateCcw, RotateCw, ZoomIn, ZoomOut } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import type { ImageViewport } from "./image_viewport.ts";
import type { ViewerTools } from "../ViewerMenu.tsx";

interface PictureBarProps {
  viewport: ImageViewport;
  tools: ViewerTools;
}

/** Turns and zooms a picture, and begins the slideshow. */
export function PictureBar({ viewport, tools }: PictureBarProps) {
  const { t, i18n: { language } } = useTranslation();
  const { zoom } = viewport.now.value;
  const percent = new Intl.NumberFormat(language, { style: "percent" }).format(zoom);
  const { show, fullScreen } = tools;
  return (
    <div className="viewer__zoom" role="group" aria-label={t("preview.zoom")}>
      <IconButton
        className="viewer__wide"
        label={t("preview.rotateLeft")}
        glyph={RotateCcw}
        onClick={() => viewport.turn(-1)}
      />
      <IconButton
        label={t("preview.rotateRight")}
        glyph={RotateCw}
        onClick={() => viewport.turn(1)}
      />
      <IconButton label={t("preview.zoomOut")} glyph={ZoomOut} onClick={() => viewport.step(-1)} />
      <button
        type="button"
        className="button button--quiet viewer__percent"
        aria-label={t("preview.zoomReset", { percent })}
        title={t("preview.zoomReset", { percent })}
        onClick={() => viewport.reset()}
      >
        {percent}
      </button>
      <IconButton label={t("preview.zoomIn")} glyph={ZoomIn} onClick={() => viewport.step(1)} />
      {show && (
        <IconButton
          label={t("preview.slideshow")}
          glyph={Play}
          onClick={() => show.play()}
        />
      )}
      {fullScreen.isOffered && (
        <IconButton
          className="viewer__wide"
          label={t(fullScreen.isOn ? "preview.smallScreen" : "preview.fullScreen")}
          glyph={fullScreen.isOn ? Minimize : Maximize}
          onClick={fullScreen.isOn ? fullScreen.leave : fullScreen.enter}
        />
      )}
    </div>
  );
}
