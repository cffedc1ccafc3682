import { apiTokenKey, userApiTokensPrefix } from "../../../core/kv/keys/api_tokens.ts";
import type { Store } from "../../../core/kv/store.ts";

/** Tokens per atomic operation, which are two deletions each; the store takes up to 1000. */
const batch = 400;

/**
 * Removes the API tokens of a user who is gone. They are dead already, as a token counts only while
 * its user is there.
 *
 * @returns their number
 */
export async function removeApiTokens(store: Store, userId: number): Promise<number> {
  const keys = (await store.list(userApiTokensPrefix(userId))).map(({ key }) => key);
  for (let start = 0; start < keys.length; start += batch) {
    await store.atomic((operation) => {
      for (const key of keys.slice(start, start + batch)) {
        operation.delete(apiTokenKey(String(key.at(-1)))).delete(key);
      }
      return operation;
    });
  }
  return keys.length;
}
