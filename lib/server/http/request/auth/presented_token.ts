import { looksLikeApiToken } from "../../../features/accounts/auth/api_token.ts";

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
