import { DomainError } from "../../shared/errors.ts";
import { encoderOf } from "./encode.ts";
import { markOf, type TextFormat } from "./format.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A byte order mark in the input: ignored, as the format decides whether to write one. */
const mark = "\uFEFF";

/**
 * Converts a stream of UTF-8 to text in another format, chunk by chunk.
 *
 * @param action for the message: `Cannot save "/a.txt"`
 * @param expectedLength the announced number of input bytes
 * @returns a stream that fails with {DomainError} `invalid_body`: not UTF-8, a character that the
 * encoding lacks, or another number of bytes than announced
 */
export function transcoder(
  format: TextFormat,
  action: string,
  expectedLength?: number,
): TransformStream<Bytes, Bytes> {
  const encode = encoderOf(format.encoding, action);
  const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
  let count = 0;
  let isStart = true;

  function take(text: string, controller: TransformStreamDefaultController<Bytes>): void {
    const content = isStart && text.startsWith(mark) ? text.slice(mark.length) : text;
    if (text !== "") isStart = false;
    if (content !== "") controller.enqueue(encode(content));
  }

  return new TransformStream({
    start(controller) {
      if (format.hasMark) controller.enqueue(markOf(format.encoding));
    },
    transform(chunk, controller) {
      count += chunk.length;
      take(decode(() => decoder.decode(chunk, { stream: true }), action), controller);
    },
    flush(controller) {
      take(decode(() => decoder.decode(), action), controller);
      if (expectedLength === undefined || count === expectedLength) return;
      throw new DomainError("invalid_body", `${action}: ${count} of ${expectedLength} bytes came`);
    },
  });
}

/** Decodes bytes, or throws when they are not text. */
function decode(read: () => string, action: string): string {
  try {
    return read();
  } catch {
    throw new DomainError("invalid_body", `${action}: the text that came is not UTF-8`);
  }
}
