import { looksLikeApiToken } from "../../../features/accounts/auth/api_token.ts";
import { createHash, timingSafeEqual } from "node:crypto";
import { DomainError } from "../../../../shared/errors.ts";

/**
 * The API token that a request presents: in `X-Auth`, in `Authorization: Bearer` (RFC 6750), or as
 * the password of `Authorization: Basic` (RFC 7617) with any name. Whatever does not look like one
 * is left to others: a session's token in `X-Auth` decides alone, and a proxy in front may have a
 * password of its own.
 */
export function presentedToken(headers: Headers): string | undefined {
  const header = headers.get("x-auth");
  if (header) return ifApiToken(header);
  const [, scheme = "", credentials = ""] =
    /^(Bearer|Basic) +([^\s,]+) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  return ifApiToken(scheme.toLowerCase() === "basic" ? passwordOf(credentials) : credentials);
}

function ifApiToken(text: string): string | undefined {
  return looksLikeApiToken(text) ? text : undefined;
}

/** The part after the first colon; "" for what is no base64. */
function passwordOf(credentials: string): string {
  try {
    const pair = atob(credentials);
    const colon = pair.indexOf(":");
    return colon === -1 ? "" : pair.slice(colon + 1);
  } catch {
    return "";
  }
}

/** A name and a password, as `Authorization: Basic` carries them. */
interface BasicCredentials {
  username: string;
  password: string;
}

/**
 * The credentials of a request (RFC 7617); null without any, and for what cannot be read. They are
 * UTF-8, as this server announces; older clients send Latin-1.
 */
export function basicCredentials({ headers }: Pick<Request, "headers">): BasicCredentials | null {
  const [, base64] = /^Basic +([\w+/]+={0,2}) *$/i.exec(headers.get("authorization") ?? "") ?? [];
  const text = base64 === undefined ? null : decoded(base64);
  const colon = text?.indexOf(":") ?? -1;
  if (text === null || colon === -1) return null;
  return { username: text.slice(0, colon), password: text.slice(colon + 1) };
}

function decoded(base64: string): string | null {
  try {
    const bytes = Uint8Array.fromBase64(base64);
    try {
      return new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    } catch {
      return new TextDecoder("latin1").decode(bytes);
    }
  } catch {
    return null;
  }
}

/**
 * Refuses a request without a token in `Authorization: Bearer …` (RFC 6750). Digests are compared,
 * in constant time: neither the token nor its length can be measured.
 *
 * @param action for the message: `Cannot read the metrics`
 * @throws DomainError `not_signed_in`
 */
export function requireBearer(req: Request, token: string, action: string): void {
  const [, given] = /^Bearer +(\S+) *$/i.exec(req.headers.get("authorization") ?? "") ?? [];
  if (given !== undefined && timingSafeEqual(digestOf(given), digestOf(token))) return;
  throw new DomainError("not_signed_in", `${action}: the token is missing or wrong`);
}

function digestOf(text: string): Uint8Array {
  return createHash("sha256").update(text).digest();
}
