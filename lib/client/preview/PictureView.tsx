import { useEffect, useLayoutEffect, useState } from "react";
import type { Entry } from "../../shared/api_types.ts";
import type { PictureLook } from "./preview_pose.ts";
import type { PreviewSource } from "./preview_source.ts";

/** Larger files are shown in full only when the user comes closer. */
const UNASKED_BYTES = 30_000_000;

interface PictureViewProps {
  entry: Entry;
  source: PreviewSource;
  look: PictureLook;
}

/** A picture: as a whole at first, in all its detail as soon as that would be seen. */
export function PictureView({ entry, source, look }: PictureViewProps) {
  const [isShown, setShown] = useState(false);
  const { zoom, x, y } = look.pose.value;
  const { fitted } = look.scene.value;
  const address = source.address.value;
  const wantsWhole = isShown && !source.isWhole && look.wantsDetail(devicePixelRatio) &&
    (zoom > 1 || entry.size < UNASKED_BYTES);

  useLayoutEffect(() => look.clear(), [look]);
  useEffect(() => {
    if (!wantsWhole) return;
    let isWanted = true;
    const whole = new Image();
    whole.src = source.whole;
    // A whole that can't be had is no loss: the smaller one stays.
    whole.decode().then(() => isWanted && source.showWhole(), () => {});
    return () => {
      isWanted = false;
    };
  }, [wantsWhole, source]);

  return (
    <img
      className="viewer__picture"
      src={address}
      // The very address that was loaded ahead, with no mark of the build in it.
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
        look.pictured({ width, height }, !source.isWhole);
        setShown(true);
      }}
      onError={() => void source.failed()}
    />
  );
}
