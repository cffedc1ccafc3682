import type { EntryPath } from "../../../shared/path.ts";
import type { OwnerTerms } from "../../../shared/share_terms.ts";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import type { ShareInfo, ShareWithToken } from "../../../shared/schemas/share.ts";
import { pathWith } from "../../base/api/api_path.ts";
import type { Calls } from "../../base/api/calls.ts";
import type { Result } from "../../../shared/result.ts";
import { useShared } from "../../base/core/page.ts";
import { useApi } from "../../base/core/use_site.ts";

/** The fields of a new share. */
export interface ShareDraft {
  /** "" for none. */
  password: string;
  /** 0 for no end. */
  expires: number;
  unit: "seconds" | "minutes" | "hours" | "days";
}

/** The terms of a share besides. */
export interface ShareTerms extends OwnerTerms {
  notify: boolean;
}

/** A change of a share; what is absent stays. */
export type ShareChange = Partial<ShareDraft & ShareTerms & { path: string }>;

/** The terms of a request for files; absent ones stay. */
export type RequestDraft =
  & Partial<ShareDraft>
  & Partial<
    Pick<
      RequestInfo,
      "title" | "note" | "maxFiles" | "maxFileSize" | "maxTotalSize" | "kinds"
    >
  >;

/** The client of the calls about shares, and about requests for files. */
class ShareApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** The shares of an entry: the user's own, or for administrators everyone's. */
  of(at: EntryPath): Promise<Result<ShareWithToken[]>> {
    return this.#calls.json("GET /api/share/{path}", { params: { path: at } });
  }

  /** Shares an entry. */
  create(at: EntryPath, draft: ShareDraft & Partial<ShareTerms>): Promise<Result<ShareWithToken>> {
    return this.#calls.json("POST /api/share/{path}", { params: { path: at }, json: draft });
  }

  /** Changes a share. */
  change(hash: string, change: ShareChange): Promise<Result<ShareWithToken>> {
    return this.#calls.json("PATCH /api/share/{path}", { params: { path: hash }, json: change });
  }

  /** Ends a share. */
  end(hash: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/share/{path}", { params: { path: hash } });
  }

  /** Names of users and groups that begin with a text. */
  namesLike(query: string, signal: AbortSignal): Promise<Result<string[]>> {
    return this.#calls.json("GET /api/recipients", { query: { query }, signal });
  }

  /** The requests for files into a folder. */
  requestsOf(at: EntryPath): Promise<Result<RequestInfo[]>> {
    return this.#calls.json("GET /api/request/{path}", { params: { path: at } });
  }

  /** Requests files for a folder. */
  request(at: EntryPath, draft: RequestDraft): Promise<Result<RequestInfo>> {
    return this.#calls.json("POST /api/request/{path}", { params: { path: at }, json: draft });
  }

  /** Changes a request. */
  changeRequest(hash: string, change: RequestDraft): Promise<Result<RequestInfo>> {
    return this.#calls.json("PATCH /api/request/{path}", { params: { path: hash }, json: change });
  }

  /** Ends a request. */
  endRequest(hash: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/request/{path}", { params: { path: hash } });
  }

  /** The public address of a request. */
  requestLink(hash: string): string {
    return `${location.origin}${this.#calls.address(pathWith("/request/{hash}", { hash }))}`;
  }

  /**
   * The public addresses of a share: its page, and its download.
   *
   * @param name the share's second address, which its page has where there is one
   * @param token replaces the password for the download, until it expires
   */
  links(
    { hash, name }: Pick<ShareInfo, "hash" | "name">,
    token?: string,
  ): { page: string; download: string } {
    const address = name ?? hash;
    const download = this.#calls.addressOf("GET /api/public/dl/{path}", {
      params: { path: address },
      query: { token: token || undefined },
    });
    const page = this.#calls.address(pathWith("/share/{address}", { address }));
    return { page: `${location.origin}${page}`, download: `${location.origin}${download}` };
  }
}

/** The API client of shares. */
export function useShareApi(): ShareApi {
  const { calls } = useApi();
  return useShared("shares", () => new ShareApi(calls));
}
