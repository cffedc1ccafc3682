/** An API token by the digest of its secret, at most 20 KiB: a name and a path. */
export function apiTokenKey(id: string): Deno.KvKey {
  return ["api_tokens", id];
}

/** Prefix of API tokens. */
export function apiTokensPrefix(): Deno.KvKey {
  return ["api_tokens"];
}

/** The index of API tokens by user: empty values. */
export function userApiTokenKey(userId: number, id: string): Deno.KvKey {
  return ["user_api_tokens", userId, id];
}

/** Prefix of the index of a user's API tokens; without one, of all users'. */
export function userApiTokensPrefix(userId?: number): Deno.KvKey {
  return userId === undefined ? ["user_api_tokens"] : ["user_api_tokens", userId];
}
