import { type Signal, signal } from "@preact/signals";
import { type EntryPath, ROOT } from "../../../shared/path.ts";
import { type Result, success } from "../../../shared/result.ts";
import { maxRatios } from "../../../shared/schemas/choices/choices.ts";
import type { Resource } from "../../../shared/schemas/entry.ts";
import type { Ratios } from "../../../shared/schemas/media.ts";
import type { PhotoPlaces, PlaceBox } from "../../../shared/schemas/timeline.ts";
import { timelineList } from "../../../shared/timeline_list.ts";
import type { Api } from "../../base/api/api.ts";
import type { ListSource } from "../../files_page/listing/listing.ts";

/** Reads the photos of all folders as one list, for the stores of the files page. */
export class PhotosSource implements ListSource {
  readonly #api: Pick<Api, "resource" | "calls">;

  /** Only photos taken here; null for all. */
  readonly within: Signal<PlaceBox | null> = signal(null);
  /** The unit of the headings. */
  readonly groupBy: Signal<"month" | "day"> = signal("month");
  /** Photos that the server has not read yet. */
  readonly unread: Signal<number> = signal(0);

  /** @param api the client of the server's calls */
  constructor(api: Pick<Api, "resource" | "calls">) {
    this.#api = api;
  }

  /** A window of the list at the root; elsewhere the file itself. */
  async resource(
    at: EntryPath,
    window: Parameters<Api["resource"]>[1],
  ): Promise<Result<Resource>> {
    if (at !== ROOT) return await this.#api.resource(at, window);
    const { offset, limit, around, signal } = window;
    const groupBy = this.groupBy.peek();
    const answer = await this.#api.calls.json("GET /api/timeline", {
      query: {
        ...{ offset, limit, groupBy, within: this.#box },
        around: around === undefined ? undefined : `/${around}`,
      },
      signal,
    });
    if (!answer.ok) return answer;
    this.unread.value = answer.value.unread;
    return success(timelineList(answer.value, groupBy));
  }

  /** The shapes of all photos. */
  async ratios(signal: AbortSignal): Promise<Result<Ratios>> {
    const ratios: number[] = [];
    for (;;) {
      const query = { offset: ratios.length, within: this.#box };
      const answer = await this.#api.calls.json("GET /api/timeline/ratios", { query, signal });
      if (!answer.ok) return answer;
      ratios.push(...answer.value.ratios);
      // Files that are not read yet change the list when they are, and are asked for then.
      if (answer.value.ratios.length < maxRatios) return success({ ratios, unread: 0 });
    }
  }

  /** Where photos were taken. */
  async places(signal: AbortSignal): Promise<Result<PhotoPlaces>> {
    return await this.#api.calls.json("GET /api/timeline/places", { signal });
  }

  get #box(): string | undefined {
    return this.within.peek()?.join(",");
  }
}
