import { type RefObject, useEffect, useRef, useState } from "react";
import { parsePath } from "../../shared/path.ts";
import type { Resource } from "../../shared/api_types.ts";
import { useTranslation } from "../core/use_translation.ts";
import type { PreviewSource } from "./preview_source.ts";
import { type Track, tracksOf } from "./preview_tracks.ts";
import { useApi } from "../core/use_site.ts";

/** While something plays, the server hears of it so often that the session does not run out. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** What the element that plays is given. */
export interface Player {
  player: RefObject<HTMLVideoElement>;
  /** The subtitles of a film, once they are known. */
  tracks: Track[];
  onLoadedMetadata: () => void;
  onTimeUpdate: () => void;
  onError: () => void;
}

/** Plays a file on from where it was when its address has to change. */
export function usePlayer(entry: Resource, source: PreviewSource): Player {
  const api = useApi();
  const { language } = useTranslation();
  const player = useRef<HTMLVideoElement>(null);
  const resume = useRef<{ at: number; plays: boolean } | null>(null);
  const heard = useRef(Date.now());
  const [subtitles, setSubtitles] = useState(entry.subtitles ?? []);
  const { path } = parsePath(entry.path);

  useEffect(() => {
    if (entry.type !== "video" || entry.subtitles) return;
    const leaving = new AbortController();
    void api.resource(path, { offset: 0, limit: 0, signal: leaving.signal })
      .then((answer) => answer.ok && setSubtitles(answer.value.subtitles ?? []));
    return () => leaving.abort();
  }, [path]);

  return {
    player,
    tracks: tracksOf(entry.path, subtitles, language, api),
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
