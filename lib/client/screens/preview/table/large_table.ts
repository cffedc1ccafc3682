import { batch, type ReadonlySignal, signal } from "@preact/signals";
import { encodingOf } from "../text_of.ts";
import { parseRows, type Table, tableOf } from "./parse_table.ts";

/** The bytes that are read at a time. */
const PART_BYTES = 2 ** 20;

/** A delimited text that is read in parts, from its beginning. */
export class LargeTable {
  readonly #read: (from: number, to: number) => Promise<Uint8Array | null>;
  readonly #size: number;
  readonly #table = signal<Table | null>(null);
  readonly #isFailed = signal(false);
  readonly #at = signal(0);
  readonly #rows: string[][] = [];
  #decoder: TextDecoder | null = null;
  #delimiter: string | undefined;
  #rest = "";
  #isBusy = false;

  /** The rows that were read so far; null before the first. */
  readonly table: ReadonlySignal<Table | null> = this.#table;
  /** How many bytes were read. */
  readonly at: ReadonlySignal<number> = this.#at;
  /** Whether the last part could not be read. */
  readonly isFailed: ReadonlySignal<boolean> = this.#isFailed;

  /** @param read reads bytes of the file, `to` exclusive; null on failure */
  constructor(size: number, read: (from: number, to: number) => Promise<Uint8Array | null>) {
    this.#size = size;
    this.#read = read;
  }

  /** Reads the next part. */
  async more(): Promise<void> {
    const from = this.#at.peek();
    if (this.#isBusy || (from >= this.#size && from > 0)) return;
    this.#isBusy = true;
    const to = Math.min(this.#size, from + PART_BYTES);
    const bytes = await this.#read(from, to);
    this.#isBusy = false;
    if (bytes === null) return void (this.#isFailed.value = true);
    const isLast = from + bytes.length >= this.#size;
    this.#decoder ??= new TextDecoder(encodingOf(bytes, !isLast));
    const text = this.#rest + this.#decoder.decode(bytes, { stream: !isLast });
    const { rows, rest, delimiter } = parseRows(text, isLast, this.#delimiter);
    for (const row of rows) this.#rows.push(row);
    this.#rest = rest;
    this.#delimiter = delimiter;
    batch(() => {
      this.#isFailed.value = false;
      this.#at.value = from + bytes.length;
      this.#table.value = tableOf(this.#rows);
    });
  }
}
