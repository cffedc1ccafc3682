import type { EntryPath } from "../../../../shared/path.ts";
import type { Api } from "../../../base/api/api.ts";

/** The part of the API client that waits. */
export type WaitingApi = Pick<Api, "exists" | "recover">;

/** `MediaError.MEDIA_ERR_NETWORK`: the file could be read before. */
const networkFailed = 2;

/**
 * Waits for what kept the browser from loading a file: until the server is there again, or its user
 * has signed in again.
 *
 * @param error of the media element
 * @returns whether it may be loaded once more; false for any other failure
 */
export async function isBack(
  api: WaitingApi,
  path: EntryPath,
  error: Pick<MediaError, "code"> | null | undefined,
  signal?: AbortSignal,
): Promise<boolean> {
  const isCut = error?.code === networkFailed;
  const there = await api.exists(path);
  return there.ok ? there.value && isCut : await api.recover(there, signal);
}
