import { useEffect, useLayoutEffect, useState } from "react";
import type { Entry } from "../../../../shared/api_types.ts";
import type { ImageViewport } from "./image_viewport.ts";
import type { PreviewSource } from "../preview_source.ts";
import { type Quarters, turnedSize } from "./preview_zoom.ts";
import { useShared } from "../../../base/core/page.ts";

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
  const wantsWhole = isShown && !source.isWhole && viewport.wantsDetail(devicePixelRatio) &&
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
      }}
      onError={() => void source.failed()}
    />
  );
}
