import { type RefObject, useRef } from "react";
import { parsePath } from "../../../../shared/path.ts";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import type { PreviewSource } from "../preview_source.ts";
import { useApi } from "../../../base/core/use_site.ts";

/** The interval of a keep-alive call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** The props of the media element. */
interface Player {
  player: RefObject<HTMLAudioElement>;
  onLoadedMetadata: () => void;
  onTimeUpdate: () => void;
  onError: () => void;
}

/** Resumes a sound at the same position when the address changes. */
export function usePlayer(entry: Resource, source: PreviewSource): Player {
  const api = useApi();
  const player = useRef<HTMLAudioElement>(null);
  const resume = useRef<{ at: number; plays: boolean } | null>(null);
  const heard = useRef(Date.now());
  const { path } = parsePath(entry.path);
  return {
    player,
    onLoadedMetadata() {
      source.loaded();
      const { current } = player;
      if (!current || !resume.current) return;
      current.currentTime = resume.current.at;
      if (resume.current.plays) void current.play().catch(() => {});
      resume.current = null;
    },
    onTimeUpdate() {
      if (Date.now() - heard.current < SIGN_OF_LIFE_MS) return;
      heard.current = Date.now();
      void api.exists(path);
    },
    onError() {
      const { current } = player;
      if (current) resume.current = { at: current.currentTime, plays: !current.paused };
      void source.failed();
    },
  };
}
