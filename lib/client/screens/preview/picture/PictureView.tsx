import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { type ImageViewport, type Quarters, turnedSize } from "./image_viewport.ts";
import { bigPreview, type PreviewSource } from "../preview_source.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { webpOrientation } from "./webp_orientation.ts";
import { useShared } from "../../../base/core/page.ts";
import { Maximize, Minimize, Play, RotateCcw, RotateCw, ZoomIn, ZoomOut } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import type { Slideshow } from "../Slideshow.tsx";
import type { FullScreen } from "../use_screen.ts";

/** Larger files are shown at full resolution only after zooming in. */
const UNASKED_BYTES = 30_000_000;

interface PictureViewProps {
  entry: Entry;
  source: PreviewSource;
  viewport: ImageViewport;
}

/** A picture: a preview at first, at full resolution once that makes a difference. */
export function PictureView({ entry, source, viewport }: PictureViewProps) {
  const [isShown, setShown] = useState(false);
  const { zoom, x, y } = viewport.now.value;
  const quarters = viewport.quarters.value;
  const { width, height } = turnedSize(viewport.image.value.fitted, quarters);
  // As long as the page lives.
  const turned = useShared("turned-pictures", () => new Map<string, Quarters>());
  const address = source.address.value;
  const upright = useUpright(entry, source);
  const wantsWhole = isShown && !upright.isPreferred && !source.isWhole &&
    viewport.wantsDetail(devicePixelRatio) &&
    (zoom > 1 || entry.size < UNASKED_BYTES);

  useLayoutEffect(() => viewport.clear(turned.get(entry.path)), [viewport]);
  useEffect(() => {
    if (isShown) turned.set(entry.path, quarters);
  }, [isShown, quarters]);
  useEffect(() => {
    if (!wantsWhole) return;
    let isWanted = true;
    const whole = new Image();
    whole.src = source.whole;
    // If the full picture fails, the preview stays.
    whole.decode().then(() => isWanted && source.showWhole(), () => {});
    return () => {
      isWanted = false;
    };
  }, [wantsWhole, source]);

  return (
    <img
      className="viewer__picture"
      src={address}
      // The exact address that was preloaded, without the mark of the build.
      data-fresh-disable-lock
      alt={entry.name}
      draggable={false}
      data-loading={!isShown || undefined}
      style={width > 0
        ? {
          inlineSize: `${width}px`,
          blockSize: `${height}px`,
          transform: `translate(${x}px, ${y}px) scale(${zoom}) rotate(${quarters * 90}deg)`,
        }
        : undefined}
      onLoad={({ currentTarget }) => {
        const { naturalWidth: width, naturalHeight: height } = currentTarget;
        source.loaded();
        viewport.pictured({ width, height }, !source.isWhole);
        setShown(true);
        void upright.check();
      }}
      onError={() => void source.failed()}
    />
  );
}

/** Shows a picture of the server in place of a WebP that browsers do not turn upright. */
function useUpright(entry: Entry, source: PreviewSource) {
  const api = useApi();
  const [isPreferred, setPreferred] = useState(false);
  const checked = useRef<PreviewSource | null>(null);
  const check = async () => {
    if (entry.extension !== ".webp" || checked.current === source) return;
    checked.current = source;
    if (await webpOrientation(source.address.peek(), entry.size) === 1) return;
    if (checked.current !== source) return;
    setPreferred(true);
    source.prefer(bigPreview(api, entry));
  };
  useEffect(() => () => {
    checked.current = null;
    setPreferred(false);
  }, [source]);
  return { isPreferred, check };
}

/** The ways to look at a file. */
export interface ViewerTools {
  /** The viewport of a picture; null for other files. */
  viewport: ImageViewport | null;
  /** Null where there is nothing to show one after the other. */
  show: Slideshow | null;
  fullScreen: FullScreen;
  /** Null where there is no filmstrip. */
  strip: { isShown: boolean; toggle: () => void } | null;
}

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
