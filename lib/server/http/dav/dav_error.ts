import type { Context } from "fresh";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import { encodePath, type EntryPath } from "../../../shared/path.ts";
import { type DavReason, DavRefusal } from "../../features/dav/dav_refusal.ts";
import { escapeXml, xmlDeclaration } from "../../features/dav/xml/write_xml.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { errorResponse, logUnexpected } from "../response/error_response.ts";
import { accessFor } from "../request/access_for.ts";
import { clientErrorResponse } from "./client_error.ts";
import { formOf } from "./client_requests.ts";
import { davPath, davPrefix, isForClients } from "./dav_address.ts";

/** The statuses of refusals that the API does not know (RFC 4918, 9 and 11). */
const STATUSES: Record<DavReason, number> = {
  no_parent: 409,
  name_taken: 405,
  is_collection: 405,
  not_overwritten: 412,
  other_server: 502,
  same_place: 403,
  infinite_depth: 403,
  unknown_report: 403,
  unknown_body: 415,
  locked: 423,
  conflicting_lock: 423,
  no_such_lock: 409,
  condition_failed: 412,
};

/** The preconditions that are named in a body (RFC 4918, 16). */
const CONDITIONS: Partial<Record<DavReason, string>> = {
  infinite_depth: "propfind-finite-depth",
  unknown_report: "supported-report",
  locked: "lock-token-submitted",
  conflicting_lock: "no-conflicting-lock",
  no_such_lock: "lock-token-matches-request-uri",
};

/** Has clients ask for a name and a password, which are UTF-8 (RFC 7617, 2.1). */
const CHALLENGE = 'Basic realm="Cubby", charset="UTF-8"';

/** Answers a failed request of WebDAV, and logs the error when it is a fault of the server. */
export function davError(ctx: Context<State>): Response {
  const { error, req } = ctx;
  logUnexpected(ctx);
  if (error instanceof DavRefusal) return refusalAnswer(ctx, error);
  const headers = challengeOf(ctx);
  return isForClients(ctx)
    ? clientErrorResponse(error, req, { headers })
    : errorResponse(error, req, headers);
}

/** The header by which a request without a sign-in is asked for one, where passwords count. */
export function challengeOf(
  { error, state }: Pick<Context<State>, "error" | "state">,
): Record<string, string> {
  const isAnonymous = error instanceof DomainError && error.code === "not_signed_in";
  const asks = isAnonymous && state.cubby.config.authMethod === "json";
  return asks ? { "www-authenticate": CHALLENGE } : {};
}

function refusalAnswer(ctx: Context<State>, error: DavRefusal): Response {
  const { reason, message } = error;
  const status = STATUSES[reason];
  const condition = conditionOf(ctx, error);
  if (isForClients(ctx)) {
    return clientErrorResponse(error, ctx.req, { status, condition });
  }
  const headers = { "cache-control": "no-store" };
  if (condition === "") {
    return new Response(`${message}\n`, {
      status,
      headers: { ...headers, "content-type": "text/plain; charset=utf-8" },
    });
  }
  const body = `${xmlDeclaration}<D:error xmlns:D="DAV:">${condition}</D:error>\n`;
  return new Response(body, {
    status,
    headers: { ...headers, "content-type": "application/xml; charset=utf-8" },
  });
}

/** The element of the precondition that did not hold; "" for a refusal that has none. */
function conditionOf(ctx: Context<State>, { reason, places }: DavRefusal): string {
  const condition = CONDITIONS[reason];
  if (condition === undefined) return "";
  const { dav: d } = formOf(ctx);
  const hrefs = places.length === 0
    ? ""
    : seenBy(ctx, places).map((path) =>
      `<${d}:href>${escapeXml(davPrefix(ctx) + encodePath(path))}</${d}:href>`
    ).join("");
  return `<${d}:${condition}>${hrefs}</${d}:${condition}>`;
}

/**
 * Places of locks as the user may know them. Of one that is out of sight, the path of the request
 * is told.
 */
function seenBy(ctx: Context<State>, places: readonly EntryPath[]): EntryPath[] {
  const access = accessFor(ctx);
  const isSeen = (path: EntryPath | null) => {
    try {
      return path !== null && access.find(path) !== null;
    } catch (error) {
      if (error instanceof DomainError) return false;
      throw error;
    }
  };
  const own = ownPath(ctx);
  const paths = places.map((place) => pathInView(access.viewer, place));
  return [...new Set(paths.flatMap((path) => (isSeen(path) ? path : null) ?? own ?? []))];
}

/** The path of the request; null of one for none of the files, such as a chunk of an upload. */
function ownPath(ctx: Context<State>): EntryPath | null {
  try {
    return davPath(ctx).path;
  } catch (error) {
    if (error instanceof DomainError) return null;
    throw error;
  }
}
