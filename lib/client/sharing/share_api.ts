import type { EntryPath } from "../../shared/path.ts";
import type { ShareWithToken } from "../../shared/api_types.ts";
import { type ApiPath, path } from "../api/api_path.ts";
import type { Calls, Query } from "../api/calls.ts";
import type { Result } from "../api/result.ts";

/** How something is shared, as it was filled in. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for ever. */
  expires: number;
  unit: "seconds" | "minutes" | "hours" | "days";
}

/** The client of the calls about shares. */
export class ShareApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The shares of an entry: one's own, or everybody's for administrators. */
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
   * The addresses of a share, for others: its page, and what is shared itself.
   *
   * @param token lets the download do without the password, as long as it holds
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
