import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { markOf, parseTextFormat, type TextFormat } from "../text/format.ts";
import type { Body } from "../upload/body_pieces.ts";
import { saveFile, type UploadOptions, type Written } from "../upload/upload.ts";
import { DomainError } from "../../../shared/errors.ts";
import { encoderOf } from "../text/encode.ts";

/**
 * Saves a UTF-8 text in the file's encoding, as atomically as `saveFile()`: a character that the
 * encoding lacks leaves the former file untouched.
 *
 * @param encoding as in a `Resource`: "windows-1252", "utf-16le-bom"
 * @throws {DomainError} `invalid_option` for an unknown encoding; `invalid_body` for text that is not
 * UTF-8 or can't be written; and as `saveFile()`
 */
export async function saveText(
  access: Access,
  path: EntryPath,
  body: Body | null,
  encoding: string,
  { expectedLength, ...options }: Omit<UploadOptions, "override">,
): Promise<Written> {
  const format = parseTextFormat(encoding);
  const by = transcoder(format, `Cannot save "${path}"`, expectedLength);
  const length = expectedLength ?? 0;
  const conversion = { by, length, minBytes: minBytes(format, length) };
  return await saveFile(access, path, body ?? emptyBody(), { ...options, conversion });
}

/** A missing body is an empty text. */
function emptyBody(): Body {
  return new ReadableStream({ start: (controller) => controller.close() });
}

type Bytes = Uint8Array<ArrayBuffer>;

/** A byte order mark in the input: ignored, as the format decides whether to write one. */
const mark = "\uFEFF";

/** Its length in UTF-8, in bytes. */
const encodedMark = 3;

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
      throw new DomainError(
        "invalid_body",
        `${action}: ${count} of ${expectedLength} bytes arrived`,
      );
    },
  });
}

/** The fewest bytes that a UTF-8 text of a length can have in another format. */
function minBytes({ encoding }: TextFormat, length: number): number {
  const content = Math.max(0, length - encodedMark);
  if (encoding === "utf-8") return content;
  // Three bytes of UTF-8 are a unit of UTF-16, and one byte of many an older encoding.
  return Math.floor(content * (encoding.startsWith("utf-16") ? 2 / 3 : 1 / 3));
}

/** Decodes bytes, or throws when they are not text. */
function decode(read: () => string, action: string): string {
  try {
    return read();
  } catch {
    throw new DomainError("invalid_body", `${action}: the text is not UTF-8`);
  }
}
