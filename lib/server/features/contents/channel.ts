import type { EntryPath } from "../../../shared/path.ts";
import { ThreadChannel } from "../../core/concurrency/thread_channel.ts";

/**
 * Tells the thread of this process that keeps an index of entries that have changed, by their paths
 * below the server root. A loss is made up for by the next walk, which then begins earlier.
 */
export type TouchChannel = ThreadChannel<EntryPath>;

/**
 * Opens the channel of an index, between all threads of this process.
 *
 * @param path of the index
 * @param take takes what other threads tell
 * @param onLost called when some of it was lost
 */
export function channelOf(
  path: string,
  take: (touched: EntryPath) => void,
  onLost: () => void = () => {},
): TouchChannel {
  return new ThreadChannel(`cubby-contents ${path}`, { take, onLost });
}
