import type { ReadableFile } from "../../core/access/file_handle.ts";
import { type ByteRange, contentRange, lengthOf } from "./byte_ranges.ts";

/** The body of an answer with several ranges. */
export interface MultipartRanges {
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
