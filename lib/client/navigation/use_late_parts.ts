import { useLate } from "../core/use_late.ts";

type LateParts = typeof import("./late_parts.ts");

/**
 * The late parts, or null until they are there.
 *
 * @param wanted whether one of them is wanted by now
 */
export function useLateParts(wanted: boolean): LateParts | null {
  return useLate(wanted, () => import("./late_parts.ts"));
}
