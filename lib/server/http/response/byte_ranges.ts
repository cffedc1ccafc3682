import type { ReadableFile } from "../../core/access/file_handle.ts";

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

/** The body of an answer with several ranges. */
interface MultipartRanges {
  /** The content type, with the boundary. */
  type: string;
  /** In bytes, exactly. */
  length: number;
  body: ReadableStream<Uint8Array<ArrayBuffer>>;
}

/** Read buffer size, in bytes. */
const CHUNK = 256 * 1024;

/**
 * Several ranges of one file as `multipart/byteranges` (RFC 9110, 14.6). The stream owns the file
 * and closes it at its end or when it is cancelled.
 *
 * @param size of the whole file
 * @param type content type of the file itself
 */
export function multipartRanges(
  file: ReadableFile,
  ranges: ByteRange[],
  size: number,
  type: string,
): MultipartRanges {
  const boundary = crypto.randomUUID();
  const encoder = new TextEncoder();
  const parts = ranges.map((range) => {
    const lines = [`--${boundary}`, `Content-Type: ${type}`];
    lines.push(`Content-Range: ${contentRange(range, size)}`, "", "");
    return { range, head: encoder.encode(lines.join("\r\n")) };
  });
  const lineEnd = encoder.encode("\r\n");
  const last = encoder.encode(`--${boundary}--\r\n`);

  async function* pieces(): AsyncGenerator<Uint8Array<ArrayBuffer>> {
    for (const { range, head } of parts) {
      yield head;
      yield* bytesOf(file, range);
      yield lineEnd;
    }
    yield last;
  }

  const length = parts.reduce(
    (sum, { range, head }) => sum + head.byteLength + lengthOf(range) + lineEnd.byteLength,
    last.byteLength,
  );
  const body = streamThenClose(pieces(), file);
  return { type: `multipart/byteranges; boundary=${boundary}`, length, body };
}

/** Closes the file even if the stream is never read, unlike a generator's own `finally`. */
function streamThenClose(
  pieces: AsyncGenerator<Uint8Array<ArrayBuffer>>,
  file: ReadableFile,
): ReadableStream<Uint8Array<ArrayBuffer>> {
  return new ReadableStream({
    async pull(controller) {
      try {
        const { done, value } = await pieces.next();
        if (!done) return controller.enqueue(value);
      } catch (error) {
        file.close();
        throw error;
      }
      file.close();
      controller.close();
    },
    cancel() {
      file.close();
    },
  }, { highWaterMark: 0 });
}

async function* bytesOf(
  file: ReadableFile,
  range: ByteRange,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  await file.seek(range.start, Deno.SeekMode.Start);
  for (let left = lengthOf(range); left > 0;) {
    const chunk = new Uint8Array(Math.min(CHUNK, left));
    const read = await file.read(chunk);
    if (read === null) throw new Error("Cannot send the range: the file became shorter");
    yield chunk.subarray(0, read);
    left -= read;
  }
}
