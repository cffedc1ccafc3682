import { DomainError } from "../../shared/errors.ts";
import { encoderOf } from "./encode.ts";
import { markOf, type TextFormat } from "./format.ts";

type Bytes = Uint8Array<ArrayBuffer>;

/** A mark at the beginning of what comes in: the format alone decides whether there is one. */
const mark = "\uFEFF";

/**
 * Turns a stream of UTF-8 into text in another format, piece by piece.
 *
 * @param action for the message: `Cannot save "/a.txt"`
 * @param expectedLength the number of bytes announced to come in
 * @returns a stream that breaks with {DomainError} `invalid_body`: not UTF-8, a character that the
 * encoding does not have, or another number of bytes than announced
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

/** Bytes as text, or a refusal when they are none. */
function decode(read: () => string, action: string): string {
  try {
    return read();
  } catch {
    throw new DomainError("invalid_body", `${action}: the text that came is not UTF-8`);
  }
}
