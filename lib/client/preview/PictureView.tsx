import { useEffect, useLayoutEffect, useState } from "react";
import type { Entry } from "../../shared/api_types.ts";
import type { ImageViewport } from "./image_viewport.ts";
import type { PreviewSource } from "./preview_source.ts";

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
  const { fitted } = viewport.image.value;
  const address = source.address.value;
  const wantsWhole = isShown && !source.isWhole && viewport.wantsDetail(devicePixelRatio) &&
    (zoom > 1 || entry.size < UNASKED_BYTES);

  useLayoutEffect(() => viewport.clear(), [viewport]);
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
      style={fitted.width > 0
        ? {
          inlineSize: `${fitted.width}px`,
          blockSize: `${fitted.height}px`,
          transform: `translate(${x}px, ${y}px) scale(${zoom})`,
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
