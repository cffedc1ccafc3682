import type { EntryPath } from "../../shared/path.ts";
import type { ShareWithToken } from "../../shared/api_types.ts";
import { type ApiPath, path } from "../api/api_path.ts";
import type { Calls, Query } from "../api/calls.ts";
import type { Result } from "../../shared/result.ts";
import { useShared } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";

/** The fields of a new share. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for no end. */
  expires: number;
  unit: "seconds" | "minutes" | "hours" | "days";
}

/** The client of the calls about shares. */
class ShareApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The shares of an entry: the user's own, or for administrators everyone's. */
  of(at: EntryPath): Promise<Result<ShareWithToken[]>> {
    return this.#calls.json(path`/api/share${at}`, {});
  }

  /** Shares an entry. */
  create(at: EntryPath, draft: ShareDraft): Promise<Result<ShareWithToken>> {
    return this.#calls.json(path`/api/share${at}`, { method: "POST", json: draft });
  }

  /** Ends a share. */
  end(hash: string): Promise<Result<void>> {
    return this.#calls.done(path`/api/share/${hash}`, { method: "DELETE" });
  }

  /**
   * The public addresses of a share: its page, and its download.
   *
   * @param token replaces the password for the download, until it expires
   */
  links(hash: string, token?: string): { page: string; download: string } {
    const whole = (to: ApiPath, query?: Query) =>
      `${location.origin}${this.#calls.address(to, query)}`;
    return {
      page: whole(path`/share/${hash}`),
      download: whole(path`/api/public/dl/${hash}`, { token: token || undefined }),
    };
  }
}

/** The API client of shares. */
export function useShareApi(): ShareApi {
  const { calls } = useApi();
  return useShared("shares", () => new ShareApi(calls));
}
