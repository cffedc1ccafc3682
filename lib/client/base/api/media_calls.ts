import type { EntryPath } from "../../../shared/path.ts";
import type { Result } from "../../../shared/result.ts";
import type { MediaInfo, ThumbHashes } from "../../../shared/api_types.ts";
import type { Calls } from "./calls.ts";

/** The calls about pictures, videos and music, for the parts of pages that are loaded late. */
export class MediaCalls {
  readonly #calls: Calls;

  /** @param calls of the page's API client */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The facts that a file itself tells; 501 for types that tell none. */
  mediaInfo(at: EntryPath, signal?: AbortSignal): Promise<Result<MediaInfo>> {
    return this.#calls.json("GET /api/media/{path}", { params: { path: at }, signal });
  }

  /**
   * The ThumbHashes of the thumbnails that the server has already made, in base64 by path. Paths
   * without one are left out.
   *
   * @param paths at most 200
   */
  thumbHashes(paths: readonly EntryPath[], signal?: AbortSignal): Promise<Result<ThumbHashes>> {
    return this.#calls.json("POST /api/thumbhashes", { json: { paths }, signal });
  }
}
