import { DomainError } from "../../../shared/errors.ts";

/** The encoding of a text. */
export interface TextFormat {
  /** Its name in `decoderOf()`: "utf-8", "utf-16le", "utf-32be", "windows-1252", "shift_jis". */
  encoding: string;
  /** The bytes begin with a byte order mark. Only for Unicode. */
  hasMark: boolean;
}

/** The default format. */
export const plainUtf8: TextFormat = { encoding: "utf-8", hasMark: false };

const markSuffix = "-bom";

/**
 * Encodings that can be read, but not written: they switch tables within a text, or are not real
 * encodings.
 */
const unwritable = new Set(["iso-2022-jp", "replacement", "x-user-defined"]);

/** The name of a format: the encoding, with "-bom" if it has a mark: "utf-16le-bom". */
export function formatName({ encoding, hasMark }: TextFormat): string {
  return encoding + (hasMark ? markSuffix : "");
}

/**
 * Parses the result of {@link formatName}; accepts other names of an encoding, too ("latin1",
 * "cp1251", "gb2312"; see the Encoding Standard, 4.2).
 *
 * @throws {DomainError} `invalid_option` for an unknown or read-only encoding
 */
export function parseTextFormat(name: string): TextFormat {
  const hasMark = name.toLowerCase().endsWith(markSuffix);
  const label = hasMark ? name.slice(0, -markSuffix.length) : name;
  const encoding = encodingOf(label);
  const isUnicode = encoding?.startsWith("utf-") ?? false;
  if (encoding === null || unwritable.has(encoding) || (hasMark && !isUnicode)) {
    throw new DomainError("invalid_option", `Cannot write text as "${name}": no such encoding`);
  }
  return { encoding, hasMark };
}

/** The byte order mark of a Unicode encoding. */
export function markOf(encoding: string): Uint8Array<ArrayBuffer> {
  if (encoding === "utf-16le") return Uint8Array.of(0xff, 0xfe);
  if (encoding === "utf-16be") return Uint8Array.of(0xfe, 0xff);
  if (encoding === "utf-32le") return Uint8Array.of(0xff, 0xfe, 0, 0);
  if (encoding === "utf-32be") return Uint8Array.of(0, 0, 0xfe, 0xff);
  return Uint8Array.of(0xef, 0xbb, 0xbf);
}

/** The platform's name of an encoding; null for an unknown one. */
export function encodingOf(label: string): string | null {
  try {
    return new TextDecoder(label).encoding;
  } catch {
    return null;
  }
}

/** The line ending of a text; text of one line counts as "lf". */
export type LineEnding = "lf" | "crlf" | "cr" | "mixed";

/** Detects the line ending of a text. */
export function lineEndingOf(text: string): LineEnding {
  if (!text.includes("\r")) return "lf";
  const seen = new Set<LineEnding>();
  for (let index = 0; index < text.length && seen.size < 2; index++) {
    const character = text[index];
    if (character === "\n") seen.add("lf");
    if (character !== "\r") continue;
    const isPair = text[index + 1] === "\n";
    seen.add(isPair ? "crlf" : "cr");
    if (isPair) index++;
  }
  const [first = "lf", second] = seen;
  return second === undefined ? first : "mixed";
}
