/** A range of bytes, both ends included, as in `Content-Range`. */
export interface ByteRange {
  start: number;
  end: number;
}

/**
 * A `Range` header resolved against a file's size: the ranges to send, `"whole"` when the header is
 * ignored, `"none"` when all ranges lie beyond the end (416).
 */
export type RangeRequest = ByteRange[] | "whole" | "none";

/** More ranges than any player or reader requests; above it the whole file is cheaper. */
const MAX_RANGES = 64;

/**
 * Reads a `Range` header (RFC 9110, 14.1.2 and 14.2). Malformed headers and other units are
 * ignored, as the RFC requires; so are headers with very many ranges, or with ranges that together
 * are longer than the file, which would make the server send a file many times over.
 *
 * @param size of the file, in bytes
 */
export function readRange(header: string | null, size: number): RangeRequest {
  const set = /^bytes=(.*)$/i.exec(header?.trim() ?? "")?.[1];
  if (set === undefined) return "whole";

  const specs = set.split(",").map((spec) => spec.trim()).filter((spec) => spec !== "");
  if (specs.length === 0 || specs.length > MAX_RANGES) return "whole";

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

/** One range; undefined when it lies beyond the end. */
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
