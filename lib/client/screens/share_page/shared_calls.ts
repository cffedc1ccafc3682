import { type CallName, pathWith } from "../../base/api/api_path.ts";
import {
  Calls,
  type CallsOptions,
  type DeclaredCall,
  type Given,
  type JsonName,
  type Query,
} from "../../base/api/calls.ts";
import type { DeclaredCalls } from "../../base/api/declared_calls.d.ts";
import type { Result } from "../../../shared/result.ts";
import { ROOT } from "../../../shared/path.ts";
import type { OpenedDocument } from "../../../shared/schemas/office.ts";
import { keptVisitorName } from "../../base/core/visitor_name.ts";
import type { LinkedShare } from "./share_links.ts";

/** The calls by which visitors of a share read, and save texts, in place of those of users. */
const SHARED: Partial<Record<CallName, CallName>> = {
  "GET /api/archive/{path}": "GET /api/public/archive/{path}",
  "GET /api/coediting/{path}": "GET /api/public/coediting/{path}",
  "GET /api/preview/{size}/{path}": "GET /api/public/preview/{size}/{path}",
  "GET /api/ratios/{path}": "GET /api/public/ratios/{path}",
  "GET /api/raw/{path}": "GET /api/public/dl/{path}",
  "GET /api/resources/{path}": "GET /api/public/share/{path}",
  "GET /api/stream/{part}/{path}": "GET /api/public/stream/{part}/{path}",
  "GET /api/subtitle/{path}": "GET /api/public/subtitle/{path}",
  "POST /api/office/{path}": "POST /api/public/office/{path}",
  "PUT /api/resources/{path}": "PUT /api/public/share/{path}",
};

/** Those by which others see who makes them. */
const NAMED = new Set<CallName>([
  "GET /api/public/coediting/{path}",
  "POST /api/public/office/{path}",
  "PUT /api/public/share/{path}",
]);

/**
 * The calls on the page of a share: what is read of the user's files elsewhere is read of the share,
 * by its rights. Other calls about files are not made: they would concern the visitor's own.
 */
export class SharedCalls extends Calls {
  #share: LinkedShare;

  /** @param share the share, and the token that opens it */
  constructor(options: CallsOptions, share: LinkedShare) {
    super(options);
    this.#share = share;
  }

  /** As for users. A document that stays open keeps the token of the share fresh. */
  override async json<Name extends JsonName>(
    name: Name,
    ...given: Given<DeclaredCall<Name>>
  ): Promise<Result<DeclaredCalls[Name]["answer"]>> {
    const answer = await super.json(name, ...given);
    if (answer.ok && name === "POST /api/office/{path}") {
      const { shareToken: token } = answer.value as OpenedDocument;
      if (token) this.#share = { ...this.#share, token };
    }
    return answer;
  }

  protected override locate(
    name: CallName,
    params: Record<string, string | number> = {},
    query?: Query,
  ): ReturnType<Calls["locate"]> {
    if (name.includes(" /api/public/")) return super.locate(name, params, query);
    const call = SHARED[name];
    if (!call) return null;
    const { hash, token } = this.#share;
    const { path = ROOT } = params;
    return {
      // As on the server's page, so that what it has loaded is not loaded again.
      to: pathWith(call, { ...params, path: `/${hash}${path === ROOT ? "" : path}` }),
      query: {
        ...query,
        ...token !== "" && { token },
        ...call === "GET /api/public/share/{path}" && { content: true },
        ...NAMED.has(call) && { name: keptVisitorName() || undefined },
      },
      byLink: true,
    };
  }
}
