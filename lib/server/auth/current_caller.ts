import type { ApiTokens } from "./api_tokens.ts";
import type { Caller, Seen } from "./session.ts";
import type { Sessions } from "./sessions.ts";

/**
 * The access of a caller now, for long-lived answers; null once the session has ended or the API
 * token is dead.
 */
export async function currentlySeen(
  { session, token }: Caller,
  sessions: Sessions,
  apiTokens: ApiTokens,
): Promise<Seen | null> {
  if (token) return await apiTokens.current(token.id);
  return session ? await sessions.current({ session }) : null;
}
