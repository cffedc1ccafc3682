import { useEffect, useLayoutEffect } from "react";
import { usePage, useShared } from "../../../base/core/page.ts";
import { useApi, useMay } from "../../../base/core/use_site.ts";
import { useFiles } from "../../../base/files/use_files.ts";
import { stampOf } from "../../../base/files/rows.ts";
import type { Arrange } from "../use_window.ts";
import type { PhotoLayout } from "./photo_layout.ts";
import { shapeOf } from "./shown_ratio.ts";

/** How photos are arranged. */
interface PhotoPlaces {
  /** As of `useWindow`. */
  arrange: Arrange | null | undefined;
  /** Names the ratio of an entry for the style sheet, which arranges the entries at first. */
  shapeOf: (index: number) => string;
  /** Whether those ratios are known. */
  hasShapes: boolean;
}

/**
 * The arrangement of the open folder as photos, in justified lines.
 *
 * @param isWanted whether it is shown so
 * @param code the late code; null until it is loaded
 */
export function usePhotoLayout(
  isWanted: boolean,
  code: { PhotoLayout: typeof PhotoLayout } | null,
): PhotoPlaces {
  const { listing } = useFiles();
  const { calls } = useApi();
  const { files, config } = usePage().data;
  const asks = useMay()("download") && config.ThumbKinds.length > 0;
  const kept = useShared<{ layout?: PhotoLayout }>("photos", () => ({}));
  if (code && isWanted) kept.layout ??= new code.PhotoLayout(calls, listing.source, files);
  const layout = isWanted ? kept.layout : undefined;
  const path = listing.path.value;
  const stamp = stampOf(listing.resource.value);
  const { sorting, groupBy } = listing.order;
  const filter = listing.filter.value ?? "";
  const order = `${sorting?.by} ${sorting?.asc} ${groupBy} ${filter}`;
  useLayoutEffect(
    () => layout?.follow({ path, stamp, order, query: listing.order, filter }, asks),
    [
      layout,
      ...[path, stamp, order, asks],
    ],
  );
  useEffect(() => isWanted ? () => kept.layout?.stop() : undefined, [isWanted]);
  const first = files?.path === path ? files.ratios?.ratios : undefined;
  return {
    arrange: isWanted ? layout?.arrange.value ?? null : undefined,
    shapeOf: (index) => shapeOf(first?.[index]),
    hasShapes: first !== undefined,
  };
}
