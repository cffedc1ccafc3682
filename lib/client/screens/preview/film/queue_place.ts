import { delay } from "../../../../shared/delay.ts";
import type { HlsOptions } from "./hls_player.ts";

/** The interval of questions. */
const QUEUE_MS = 1_500;

/**
 * Asks for the place of a stream in the server's queue.
 *
 * @param waits whether the player waits for the stream
 * @param tell takes the place: 0 where the server makes it
 */
export async function followPlace(
  { api, path, video, audio }: Pick<HlsOptions, "api" | "path" | "video" | "audio">,
  signal: AbortSignal,
  { waits, tell }: { waits: () => boolean; tell: (place: number) => void },
): Promise<void> {
  for (await delay(QUEUE_MS, signal); !signal.aborted && waits(); await delay(QUEUE_MS, signal)) {
    const answer = await api.calls.json("GET /api/stream/{part}/{path}", {
      params: { part: "info", path },
      query: { video, audio },
      signal,
    });
    if (answer.ok && waits()) tell(answer.value.place ?? 0);
  }
}
