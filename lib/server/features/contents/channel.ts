import type { EntryPath } from "../../../shared/path.ts";

/** Tells the thread of this process that keeps an index of entries that have changed. */
export interface TouchChannel extends Disposable {
  /** Never fails: a loss is made up for by the next walk. @param path below the server root */
  post(path: EntryPath): void;
}

/**
 * Opens the channel of an index, between all threads of this process.
 *
 * @param path of the index
 * @param take takes what other threads tell
 */
export function channelOf(path: string, take: (touched: EntryPath) => void): TouchChannel {
  const channel = new BroadcastChannel(`cubby-contents ${path}`);
  channel.onmessage = ({ data }: MessageEvent<EntryPath>) => take(data);
  return {
    post(touched) {
      try {
        channel.postMessage(touched);
      } catch {
        // Deno may refuse while another channel of this thread is being closed. The next walk sees it.
      }
    },
    [Symbol.dispose]: () => channel.close(),
  };
}
