import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { decoderOf, isUtf32 } from "../../../shared/text_decoder.ts";
import { when } from "../../base/core/when.ts";
import { withMarks } from "../../base/core/marks.ts";

/** Texts up to this size open in the editor, in bytes; the server calls larger ones `blob`. */
const LARGEST_EDITED = 10 * 2 ** 20;

/** The bytes that are read at a time. */
const PART_BYTES = 2 ** 20;

/** Most parts of a text that is followed: each is what was written between two news. */
const MOST_FOLLOWED = 2000;

type LargeTextState = "loading" | "text" | "failed";

/** The bytes on screen: `to` is exclusive. */
interface Extent {
  from: number;
  to: number;
}

/** Whether a file may be a text that is too large for the editor. */
export function mayBeLargeText({ type, size }: { type: string; size: number }): boolean {
  return type === "blob" && size > LARGEST_EDITED;
}

/** Reads bytes of a file, `to` exclusive; null on failure. */
export type ReadPart = (from: number, to: number) => Promise<Uint8Array | null>;

/** A text that is read in parts, from its beginning or at its end. */
export class LargeText {
  readonly #read: ReadPart;
  readonly #encoding: string;
  /** The bytes of a line end, and of the smallest characters. */
  readonly #unit: number;
  readonly #state = signal<LargeTextState>("loading");
  readonly #parts = signal<readonly string[]>([]);
  readonly #extent = signal<Extent>({ from: 0, to: 0 });
  readonly #isBusy = signal(false);
  /** How many bytes of the file each part is. */
  #lengths: readonly number[] = [];
  #decoder: Pick<TextDecoder, "decode">;

  /** Whether there is a text to show. */
  readonly state: ReadonlySignal<LargeTextState> = this.#state;
  /** The lines read, in order, with signs for characters that are not seen. */
  readonly parts: ReadonlySignal<readonly string[]> = this.#parts;
  /** Where the parts lie in the file. */
  readonly extent: ReadonlySignal<Extent> = this.#extent;
  /** Whether a part is being read. */
  readonly isBusy: ReadonlySignal<boolean> = this.#isBusy;

  /** The size of the file in bytes. */
  size: number;

  /** @param encoding as in a `Resource`: "windows-1252", "utf-16le-bom" */
  constructor(size: number, encoding: string, read: ReadPart) {
    this.size = size;
    this.#encoding = withoutMark(encoding);
    this.#unit = unitOf(this.#encoding);
    this.#decoder = decoderOf(this.#encoding);
    this.#read = read;
  }

  /** Shows the beginning. */
  async showStart(): Promise<void> {
    await this.#show(0);
  }

  /** Shows the end, from a whole line on. */
  async showEnd(): Promise<void> {
    const from = Math.max(0, this.size - PART_BYTES);
    await this.#show(from - from % this.#unit);
  }

  /** Adds the part that follows. */
  async more(): Promise<void> {
    const { from, to } = this.#extent.peek();
    const bytes = await this.#take(to);
    if (bytes === null) return;
    batch(() => {
      this.#parts.value = [...this.#parts.peek(), this.#decode(bytes)];
      this.#lengths = [...this.#lengths, bytes.length];
      this.#extent.value = { from, to: to + bytes.length };
    });
  }

  /**
   * Adds what was written to the end of the file since. After more than a part of it, or when the
   * file is another or was cut, its end is shown again.
   */
  async follow(): Promise<void> {
    // What is being read was asked for before it was written.
    await when(this.#isBusy, (isBusy) => !isBusy);
    const { from, to } = this.#extent.peek();
    if (this.size === to) return;
    if (this.size < to || this.size - to > PART_BYTES) return await this.showEnd();
    await this.more();
    const parts = this.#parts.peek();
    if (parts.length <= MOST_FOLLOWED) return;
    // The oldest lines go, so that a log that is followed for days does not fill the memory.
    const first = parts.length - MOST_FOLLOWED / 2;
    const gone = this.#lengths.slice(0, first).reduce((sum, length) => sum + length, 0);
    batch(() => {
      this.#parts.value = parts.slice(first);
      this.#lengths = this.#lengths.slice(first);
      this.#extent.value = { from: from + gone, to: this.#extent.peek().to };
    });
  }

  async #show(from: number): Promise<void> {
    const bytes = await this.#take(from);
    if (bytes === null) return;
    const begun = from === 0 ? 0 : afterLine(bytes, this.#unit);
    this.#decoder = decoderOf(this.#encoding);
    batch(() => {
      const text = this.#decode(bytes.subarray(begun));
      this.#parts.value = [from === 0 && text.startsWith(MARK) ? text.slice(1) : text];
      this.#lengths = [bytes.length - begun];
      this.#extent.value = { from: from + begun, to: from + bytes.length };
      this.#state.value = "text";
    });
  }

  async #take(from: number): Promise<Uint8Array | null> {
    if (this.#isBusy.peek()) return null;
    this.#isBusy.value = true;
    const bytes = await this.#read(from, Math.min(this.size, from + PART_BYTES));
    this.#isBusy.value = false;
    if (bytes === null && this.#state.peek() === "loading") this.#state.value = "failed";
    return bytes;
  }

  /** A character can be cut by the end of a part. */
  #decode(bytes: Uint8Array): string {
    return withMarks(this.#decoder.decode(bytes, { stream: true }));
  }
}

/** A byte order mark, decoded. */
const MARK = "\ufeff";

/** The name of an encoding for a decoder: a `Resource` tells of the byte order mark, too. */
export function withoutMark(encoding: string): string {
  return encoding.replace(/-bom$/, "");
}

function unitOf(encoding: string): number {
  if (isUtf32(encoding)) return 4;
  return encoding.startsWith("utf-16") ? 2 : 1;
}

/** Where the first whole line begins; 0 without a line end. */
function afterLine(bytes: Uint8Array, unit: number): number {
  for (let at = bytes.indexOf(10); at !== -1; at = bytes.indexOf(10, at + 1)) {
    const start = at - at % unit;
    const others = bytes.subarray(start, start + unit);
    const isAtEdge = at === start || at === start + unit - 1;
    if (isAtEdge && others.reduce((sum, byte) => sum + byte, 0) === 10) return start + unit;
  }
  return 0;
}

/** Reads bytes of a file by its address, which works with the cookie or a ticket. */
export async function readBytes(
  address: string,
  from: number,
  to: number,
): Promise<Uint8Array | null> {
  const headers = { range: `bytes=${from}-${to - 1}` };
  try {
    const answer = await fetch(address, { headers, cache: "no-store" });
    return answer.status === 206 ? await answer.bytes() : null;
  } catch {
    return null;
  }
}

/** The encoding that an answer tells of its text; null where it is none. */
export function charsetOf({ headers }: Response): string | null {
  return /charset=([\w-]+)/i.exec(headers.get("content-type") ?? "")?.[1] ?? null;
}

/** The text of bytes in an encoding, without a byte order mark; characters that are not seen have signs. */
export function textOf(bytes: Uint8Array, encoding: string): string {
  const text = decoderOf(encoding).decode(bytes);
  return withMarks(text.startsWith(MARK) ? text.slice(1) : text);
}
