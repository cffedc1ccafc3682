/** A rectangle in a picture, in pixels. */
export interface Cell {
  left: number;
  top: number;
  width: number;
  height: number;
}

/** The most pictures on the cover of a folder. */
export const maxOnCover = 4;

/** The gap between two pictures, as a part of the side. */
const gapShare = 1 / 64;

/**
 * Where the pictures on a folder's cover lie: one fills it, two share it, three leave the first one
 * a half, four have a quarter each.
 *
 * @param count 1 to 4
 * @param side of the cover, in pixels
 */
export function cellsOf(count: number, side: number): Cell[] {
  const gap = Math.max(2, Math.round(side * gapShare));
  const half = Math.floor((side - gap) / 2);
  const far = side - half;
  const column = (left: number): Cell => ({ left, top: 0, width: half, height: side });
  const quarters = (left: number): Cell[] =>
    [0, far].map((top) => ({ left, top, width: half, height: half }));
  if (count === 1) return [{ left: 0, top: 0, width: side, height: side }];
  if (count === 2) return [column(0), column(far)];
  if (count === 3) return [column(0), ...quarters(far)];
  const [topLeft, bottomLeft] = quarters(0);
  const [topRight, bottomRight] = quarters(far);
  return [topLeft, topRight, bottomLeft, bottomRight].filter((cell) => cell !== undefined);
}
