import { useEffect, useLayoutEffect } from "react";
import { usePage, useShared } from "../../../base/core/page.ts";
import { useApi, useMay } from "../../../base/core/use_site.ts";
import { useFiles } from "../../../base/files/use_files.ts";
import { stampOf } from "../../../base/files/rows.ts";
import type { Arrange } from "../use_window.ts";
import type { PhotoLayout } from "./photo_layout.ts";

/**
 * Ratios are shown in steps, 24 to an octave: 4:3, 3:2 and 16:9 are met to a quarter of a percent,
 * and no other is off by more than 1.5 %. A style sheet has a rule for each step, as the policy of
 * pages forbids styles in what the server sends.
 */
const STEPS = 24;

/** Ratios beyond 0.45 and 6 are cropped: a slit can't be hit, and a strip has no height. */
const [LEAST_STEP, MOST_STEP] = [-28, 62];

/** Of a picture that is not read yet, in percent: most photos are so. */
const UNKNOWN = 150;

/** The step of a ratio. @param percent as the server tells it; 0 while it is not known */
function stepOf(percent: number | undefined): number {
  const step = Math.round(STEPS * Math.log2((percent || UNKNOWN) / 100));
  return Math.max(LEAST_STEP, Math.min(MOST_STEP, step));
}

/** The shown ratio of an entry. @param percent as the server tells it; 0 while it is not known */
export function shownRatio(percent: number | undefined): number {
  return 2 ** (stepOf(percent) / STEPS);
}

/** The same for the style sheet: the octave, and the step in it. */
function shapeOf(percent: number | undefined): string {
  const step = stepOf(percent);
  const octave = Math.floor(step / STEPS);
  return `o${octave} s${step - octave * STEPS}`;
}

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
