/** A range of bytes, both ends included, as in `Content-Range`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * What a `Range` header comes to for a file of a given size: the ranges to send, `"whole"` when the
 * header is to be ignored, `"none"` when it asks only for what lies beyond the end (416).
 */
export type RangeRequest = ByteRange[] | "whole" | "none";

/** More ranges than any player or reader asks for; above it the whole file is cheaper. */
const MOST_RANGES = 64;

/**
 * Reads a `Range` header (RFC 9110, 14.1.2 and 14.2). Malformed headers and other units are
 * ignored, as the RFC has it; so are headers with very many ranges, or with ranges that together
 * are longer than the file, with which a server can be made to send a file many times over.
 *
 * @param size of the file, in bytes
 */
export function readRange(header: string | null, size: number): RangeRequest {
  const set = /^bytes=(.*)$/i.exec(header?.trim() ?? "")?.[1];
  if (set === undefined) return "whole";

  const specs = set.split(",").map((spec) => spec.trim()).filter((spec) => spec !== "");
  if (specs.length === 0 || specs.length > MOST_RANGES) return "whole";

  const ranges: ByteRange[] = [];
  for (const spec of specs) {
    const range = readSpec(spec, size);
    if (range === "malformed") return "whole";
    if (range) ranges.push(range);
  }
  if (ranges.length === 0) return "none";
  const total = ranges.reduce((sum, range) => sum + lengthOf(range), 0);
  return total > size ? "whole" : ranges;
}

/** The number of bytes in a range. */
export function lengthOf(range: ByteRange): number {
  return range.end - range.start + 1;
}

/** The value of `Content-Range` for one range of a file. */
export function contentRange(range: ByteRange, size: number): string {
  return `bytes ${range.start}-${range.end}/${size}`;
}

/** One range, or nothing when it lies beyond the end. */
function readSpec(spec: string, size: number): ByteRange | "malformed" | undefined {
  const [, first, last] = /^(\d*)-(\d*)$/.exec(spec) ?? [];
  if (first === undefined || last === undefined || first + last === "") return "malformed";
  if (first === "") {
    const start = Math.max(0, size - Number(last));
    return start < size ? { start, end: size - 1 } : undefined;
  }
  const start = Number(first);
  const end = last === "" ? size - 1 : Number(last);
  if (last !== "" && end < start) return "malformed";
  return start < size ? { start, end: Math.min(end, size - 1) } : undefined;
}
