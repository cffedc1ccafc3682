import type { EntryPath } from "../../../../shared/path.ts";
import type { Api } from "../../../base/api/api.ts";
import { lazy } from "../../../base/core/lazy.ts";
import { mediaSource } from "../film/how_to_play.ts";

const hls = lazy(() => import("../film/hls_player.ts"));

/** What a conversion tells. */
export interface ConversionEvents {
  /** It waits for a turn at the server, or does not any more. */
  onTurn(isWaiting: boolean): void;
  onFailure(): void;
}

/**
 * Plays a sound that the browser cannot decode, as the server converts it.
 *
 * @param seconds where it begins
 * @returns ends it
 */
export function playConverted(
  api: Api,
  at: EntryPath,
  player: HTMLMediaElement,
  seconds: number,
  { onTurn, onFailure }: ConversionEvents,
): () => void {
  let end: (() => void) | null = null;
  let isOver = false;
  const options = { api, path: at, video: "none", audio: 0, at: seconds, onTurn } as const;
  void hls.load().then((code) => {
    if (isOver) return;
    if (!code) return onFailure();
    if (mediaSource()) end = code.playHls(player, { ...options, onFailure });
    else player.src = code.streamAddress(api, at, options);
  });
  return () => {
    isOver = true;
    end?.();
  };
}
