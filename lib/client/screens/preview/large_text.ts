import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { when } from "../../base/core/when.ts";

/** Texts up to this size open in the editor, in bytes; the server calls larger ones `blob`. */
const LARGEST_EDITED = 10 * 2 ** 20;

/** The bytes that are read at a time. */
const PART_BYTES = 2 ** 20;

/** Most parts of a text that is followed: each is what was written between two news. */
const MOST_FOLLOWED = 2000;

/** Bytes at the beginning that tell text from other content, which has zeros among them. */
const PROBED_BYTES = 4096;

/** `other`: it is no text; `failed`: it could not be read. */
type LargeTextState = "loading" | "text" | "other" | "failed";

/** The bytes on screen: `to` is exclusive. */
interface Extent {
  from: number;
  to: number;
}

/** Whether a file may be a text that is too large for the editor. */
export function mayBeLargeText({ type, size }: { type: string; size: number }): boolean {
  return type === "blob" && size > LARGEST_EDITED;
}

/** A text that is read in parts, from its beginning or at its end. It is taken for UTF-8. */
export class LargeText {
  readonly #read: (from: number, to: number) => Promise<Uint8Array | null>;
  readonly #state = signal<LargeTextState>("loading");
  readonly #parts = signal<readonly string[]>([]);
  readonly #extent = signal<Extent>({ from: 0, to: 0 });
  readonly #isBusy = signal(false);
  #decoder = new TextDecoder();

  /** Whether there is a text to show. */
  readonly state: ReadonlySignal<LargeTextState> = this.#state;
  /** The lines read, in order. */
  readonly parts: ReadonlySignal<readonly string[]> = this.#parts;
  /** Where the parts lie in the file. */
  readonly extent: ReadonlySignal<Extent> = this.#extent;
  /** Whether a part is being read. */
  readonly isBusy: ReadonlySignal<boolean> = this.#isBusy;

  /** The size of the file in bytes. */
  size: number;

  /** @param read reads bytes of the file, `to` exclusive; null on failure */
  constructor(size: number, read: (from: number, to: number) => Promise<Uint8Array | null>) {
    this.size = size;
    this.#read = read;
  }

  /** Shows the beginning. */
  async showStart(): Promise<void> {
    await this.#show(0);
  }

  /** Shows the end, from a whole line on. */
  async showEnd(): Promise<void> {
    await this.#show(Math.max(0, this.size - PART_BYTES));
  }

  /** Adds the part that follows. */
  async more(): Promise<void> {
    const { from, to } = this.#extent.peek();
    const bytes = await this.#take(to);
    if (bytes === null) return;
    batch(() => {
      this.#parts.value = [...this.#parts.peek(), this.#decode(bytes)];
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
    const kept = parts.slice(-MOST_FOLLOWED / 2);
    const gone = new TextEncoder().encode(parts.slice(0, -kept.length).join("")).length;
    batch(() => {
      this.#parts.value = kept;
      this.#extent.value = { from: from + gone, to: this.#extent.peek().to };
    });
  }

  async #show(from: number): Promise<void> {
    const bytes = await this.#take(from);
    if (bytes === null) return;
    if (from === 0 && bytes.subarray(0, PROBED_BYTES).includes(0)) {
      this.#state.value = "other";
      return;
    }
    const begun = from === 0 ? 0 : bytes.indexOf(10) + 1;
    this.#decoder = new TextDecoder();
    batch(() => {
      this.#parts.value = [this.#decode(bytes.subarray(begun))];
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
    return this.#decoder.decode(bytes, { stream: true });
  }
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

/**
 * The text of bytes whose encoding is not told: by their byte order mark, as UTF-8 when they are
 * that, else as the usual one of Windows.
 */
export function textOf(bytes: Uint8Array): string {
  return new TextDecoder(encodingOf(bytes)).decode(bytes);
}

/**
 * The encoding of a text, by its first bytes.
 *
 * @param isCut the bytes are not all, so that the last character may be cut
 */
export function encodingOf(bytes: Uint8Array, isCut = false): string {
  if (bytes[0] === 0xff && bytes[1] === 0xfe) return "utf-16le";
  if (bytes[0] === 0xfe && bytes[1] === 0xff) return "utf-16be";
  try {
    new TextDecoder("utf-8", { fatal: true }).decode(bytes, { stream: isCut });
    return "utf-8";
  } catch {
    return "windows-1252";
  }
}
