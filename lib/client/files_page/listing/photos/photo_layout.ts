import { computed, type ReadonlySignal, signal } from "@preact/signals";
import type { EntryPath } from "../../../../shared/path.ts";
import type { FilesPageData } from "../../../../shared/page_data.ts";
import type { Ratios } from "../../../../shared/schemas/media.ts";
import type { Result } from "../../../../shared/result.ts";
import type { Calls } from "../../../base/api/calls.ts";
import { delay } from "../../../../shared/delay.ts";
import type { Order } from "../folder_query.ts";
import type { ListSource } from "../listing.ts";
import type { Arrange } from "../use_window.ts";
import { JustifiedLines } from "./justified_lines.ts";

/** The listing whose pictures are laid out. */
export interface PhotoPlace {
  path: EntryPath;
  /** Changes when entries come and go. */
  stamp: string;
  /** Names the order, and the filter. */
  order: string;
  query: Partial<Order>;
  filter: string;
}

/** The time that the first answer has before pictures are laid out without, in milliseconds. */
const PATIENCE_MS = 250;

/** The shapes of pictures of which nothing is known. */
const UNKNOWN: ArrayLike<number> = { length: Infinity };

/** The pause before ratios are asked for again after a failure, in milliseconds. */
const RETRY_MS = 2_000;

/** The answers without progress after which no further are asked for. */
const MOST_IDLE = 3;

/**
 * The ratios of the pictures of the open folder, and their arrangement. One call tells all that the
 * server knows; as long as it reads further pictures, it is asked again, and the lines follow.
 */
export class PhotoLayout {
  readonly #calls: Calls;
  readonly #source: ListSource;
  readonly #ratios = signal<{ path: string; ratios: ArrayLike<number> } | null>(null);
  #first: FilesPageData | undefined;
  #followed = "";
  #reading = new AbortController();

  /** Arranges the rows of the open folder; null while nothing is known of it. */
  readonly arrange: ReadonlySignal<Arrange | null>;

  /** @param first the folder that the page came with */
  constructor(calls: Calls, source: ListSource, first: FilesPageData | undefined) {
    this.#calls = calls;
    this.#source = source;
    this.#first = first;
    this.arrange = computed(() => this.#ratios.value && arrangeBy(this.#ratios.value.ratios));
  }

  /**
   * Lays out the pictures of a listing; its former lines stay until the new ones are known.
   *
   * @param asks false where the user may not see the pictures: all are squares
   */
  follow(place: PhotoPlace, asks: boolean): void {
    const { path, stamp, order } = place;
    const followed = JSON.stringify([path, stamp, order]);
    if (followed === this.#followed) return;
    this.stop();
    this.#followed = followed;
    const first = this.#first?.path === path ? this.#first.ratios : undefined;
    this.#first = undefined;
    if (!asks) this.#ratios.value = { path, ratios: [] };
    else if (first) this.#ratios.value = { path, ratios: first.ratios };
    else if (this.#ratios.peek()?.path !== path) this.#ratios.value = null;
    if (!asks || first?.unread === 0) return;
    void this.#readAll(place, first !== undefined);
    const { signal } = this.#reading;
    setTimeout(() => signal.aborted || this.#laidOutAtLeast(path), PATIENCE_MS);
  }

  /** Asks for no further ratios. */
  stop(): void {
    this.#followed = "";
    this.#reading.abort();
    this.#reading = new AbortController();
  }

  async #readAll(place: PhotoPlace, isKnown: boolean): Promise<void> {
    const { signal } = this.#reading;
    let [left, idle, reads] = [Infinity, 0, isKnown];
    while (idle < MOST_IDLE) {
      const answer = await this.#read(place, reads, signal);
      if (signal.aborted) return;
      if (answer.ok) {
        const { ratios, unread } = answer.value;
        this.#ratios.value = { path: place.path, ratios };
        if (unread === 0) return;
        idle = reads && unread >= left ? idle + 1 : 0;
        if (reads) left = unread;
        reads = true;
      } else {
        this.#laidOutAtLeast(place.path);
        if (answer.status >= 400 && answer.status < 500) return;
        idle++;
        await delay(RETRY_MS);
      }
    }
  }

  #laidOutAtLeast(path: EntryPath): void {
    if (this.#ratios.peek()?.path !== path) this.#ratios.value = { path, ratios: UNKNOWN };
  }

  #read(
    { path, query: { sorting, groupBy }, filter }: PhotoPlace,
    reads: boolean,
    signal: AbortSignal,
  ): Promise<Result<Ratios>> {
    if (this.#source.ratios) return this.#source.ratios(signal);
    const order = sorting && { sort: sorting.by, order: sorting.asc ? "asc" : "desc" } as const;
    const query = { ...order, groupBy, filter: filter || undefined, read: reads || undefined };
    return this.#calls.json("GET /api/ratios/{path}", { params: { path }, query, signal });
  }
}

/** Arranges rows in lines; the same lines as long as nothing changes, as scrolling asks each time. */
export function arrangeBy(ratios: ArrayLike<number>): Arrange {
  let kept: { key: string; groups: unknown; lines: JustifiedLines } | undefined;
  return (rows, total, groups) => {
    const width = rows.clientWidth;
    const style = getComputedStyle(rows);
    const [gap, heading, height] = [style.rowGap, style.scrollPaddingTop, style.scrollPaddingBottom]
      .map((length) => Number.parseFloat(length) || 0) as [number, number, number];
    if (width === 0 || height === 0) return null;
    const key = [total, width, height, gap, heading].join(" ");
    if (kept?.key === key && kept.groups === groups) return kept.lines;
    const options = { ratios, total, width, height, gap, groups, heading: heading + gap };
    const lines = new JustifiedLines(options);
    kept = { key, groups, lines };
    return lines;
  };
}
