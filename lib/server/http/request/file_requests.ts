import { pathIn } from "../../../shared/named_roots.ts";
import type { Context } from "fresh";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, type EntryPath, nameOf, ROOT, segmentsOf } from "../../../shared/path.ts";
import type { OpenRequest, RequestInfo } from "../../../shared/schemas/request.ts";
import { type FileRequest, isFull, toRequestInfo } from "../../features/links/requests/request.ts";
import {
  enterRequest,
  requestTokens,
  type RequestVisit,
} from "../../features/links/requests/request_visit.ts";
import type { User } from "../../features/accounts/users/user.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { type List, listOf } from "./lists/list.ts";
import type { RequestItem } from "../../../shared/settings_data.ts";
import { requestPath } from "./request_path.ts";
import { withOwners } from "./lists/share_lists.ts";

/** The visitor's token, from the answer that let the visitor in. */
const tokenHeader = "x-request-token";

/** A visitor's credentials for a request. */
export interface RequestCredentials {
  /** "" for none. */
  password: string;
  /** Checks the captcha; null where the site has none. */
  captcha: (() => Promise<boolean>) | null;
}

/**
 * Lets a visitor in. Before the password is verified nothing is revealed about the request, not
 * even that its owner lacks a permission.
 *
 * @throws DomainError `not_found`; `password_required` when it is missing or wrong;
 * `wrong_credentials` for a captcha that is not solved; `throttled`; `forbidden`
 */
export async function openRequest(
  ctx: Context<State>,
  hash: string,
  { password, captcha }: RequestCredentials,
): Promise<OpenRequest> {
  const { attempts, key, requests } = ctx.state.cubby;
  const request = await requests.get(hash);
  if (captcha && !await captcha()) {
    throw new DomainError(
      "wrong_credentials",
      "Cannot open the request: the captcha is not solved",
    );
  }
  if (request.passwordHash !== null) {
    const isRight = password !== "" && await attempts.throttled(
      `request:${request.hash}`,
      ctx.state.address,
      async () => await requests.isOpenedBy(request, password) || null,
    );
    const wrong = password === "" ? "it has a password" : "the password is wrong";
    if (!isRight) throw new DomainError("password_required", `Cannot open the request: ${wrong}`);
  }
  const { owner, settings } = await visitOf(ctx, request);
  return {
    hash: request.hash,
    owner: settings.hideShareOwner ? "" : owner.username,
    expire: request.expire,
    ...request.limits,
    isFull: isFull(request, await requests.uses.of(request.hash)),
    token: await requestTokens.sign(key, request),
  };
}

/**
 * The visit that a request's token stands for.
 *
 * @throws DomainError `not_found`; `password_required` without a token that is good; `forbidden`
 */
export async function visitByToken(
  ctx: Context<State>,
): Promise<RequestVisit> {
  const { key, requests } = ctx.state.cubby;
  const request = await requests.get(ctx.params.hash ?? "");
  const token = ctx.req.headers.get(tokenHeader) ?? "";
  if (!await requestTokens.accepts(key, request, token)) {
    throw new DomainError("password_required", "Cannot send files: open the request first");
  }
  return await visitOf(ctx, request);
}

async function visitOf(ctx: Context<State>, request: FileRequest): Promise<RequestVisit> {
  const { gate, settings, users } = ctx.state.cubby;
  return await enterRequest(request, { gate, users, settings: await settings.get() });
}

/**
 * The request whose hash stands in the place of a path; of others for administrators alone.
 *
 * @throws DomainError `not_found`, `forbidden`
 */
export async function requestNamed(
  ctx: Context<State>,
  verb: "change" | "end",
): Promise<FileRequest> {
  const { user } = signedInOf(ctx);
  const [hash = "", ...rest] = segmentsOf(requestPath(ctx, "request").path);
  const request = await ctx.state.cubby.requests.get(rest.length === 0 ? hash : "");
  if (user.perm.admin || request.userId === user.id) return request;
  throw new DomainError("forbidden", `Cannot ${verb} the request: it belongs to another user`);
}

/** The requests that a user may end: the user's own; for administrators all. */
export function requestList(
  ctx: Pick<Context<State>, "state">,
  user: User,
  of: { own?: boolean } = {},
): List<FileRequest, RequestItem> {
  const { requests, users } = ctx.state.cubby;
  const userId = of.own || !user.perm.admin ? user.id : undefined;
  return {
    parts: (after) => requests.parts({ userId, after }),
    positionOf: ({ hash }) => hash,
    textOf: ({ path, limits }) => `${path} ${limits.title}`,
    async show(some) {
      const infos = await requestInfos(ctx, some, user);
      return userId === undefined ? await withOwners(users, infos) : infos;
    },
  };
}

/** The requests for one folder; see {@linkcode requestList}. @param place of the folder */
export async function requestListAt(
  ctx: Pick<Context<State>, "state">,
  user: User,
  place: EntryPath,
): Promise<List<FileRequest, RequestItem>> {
  const here = await ctx.state.cubby.requests.at(place);
  const seen = here.filter(({ userId }) => user.perm.admin || userId === user.id);
  return listOf(seen, requestList(ctx, user));
}

/** Requests as a user sees them; for the paths see `shareInfos()`. */
export async function requestInfos(
  { state: { cubby } }: Pick<Context<State>, "state">,
  requests: readonly FileRequest[],
  { id, scope, roots, perm }: Pick<User, "id" | "scope" | "roots" | "perm">,
): Promise<RequestInfo[]> {
  const infos: RequestInfo[] = [];
  for (const request of requests) {
    const { userId, path } = request;
    const own = userId === id ? pathIn({ scope, roots }, path) : null;
    const shown = own ?? (perm.admin ? path : childOf(ROOT, nameOf(path)));
    infos.push(toRequestInfo(request, shown, await cubby.requests.uses.of(request.hash)));
  }
  return infos;
}
