import { IS_BROWSER } from "fresh/runtime";

const shared = new Map<string, unknown>();

/**
 * Gives every island of a page the same object. Islands are separate roots, so in the browser the
 * object lives in this module and is created once. On the server, where the module serves every
 * user, each call creates its own: nothing of one request can reach another.
 *
 * @param key names the object; one key always goes with one `create`
 */
export function useShared<T>(key: string, create: () => T): T {
  if (!IS_BROWSER) return create();
  if (!shared.has(key)) shared.set(key, create());
  return shared.get(key) as T;
}
