import type { TokenUser } from "../../shared/api_types.ts";

/** What the browser reads from a token. Only the server can tell whether it is genuine. */
export interface TokenClaims {
  user: TokenUser;
  /** The session that the token belongs to. */
  sid: string;
  /** Counts the renewals of the session: of two tokens the higher one is in force. */
  gen: number;
}

/**
 * Reads the claims of a session token (JWT, RFC 7519).
 *
 * @throws Error `token malformed` unless it has exactly three parts and names a user
 */
export function readToken(token: string): TokenClaims {
  const parts = token.split(".");
  if (parts.length !== 3) throw new Error("token malformed");
  const claims = decode(parts[1] ?? "");
  if (typeof claims?.user?.username !== "string") throw new Error("token malformed");
  return { user: claims.user, sid: claims.sid ?? "", gen: claims.gen ?? 0 };
}

function decode(part: string): Partial<TokenClaims> | null {
  try {
    const binary = atob(part.replaceAll("-", "+").replaceAll("_", "/"));
    const bytes = Uint8Array.from(binary, (character) => character.charCodeAt(0));
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new Error("token malformed");
  }
}
