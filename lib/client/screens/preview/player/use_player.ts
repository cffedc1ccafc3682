import { type RefObject, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { parsePath } from "../../../../shared/path.ts";
import type { Resource } from "../../../../shared/api_types.ts";
import { keepIn, openLocalStorage } from "../../../base/core/browser_storage.ts";
import type { PreviewSource } from "../preview_source.ts";
import {
  CHOICE,
  choiceOf,
  readChoice,
  shownTrack,
  type Track,
  tracksOf,
} from "./subtitle_tracks.ts";
import { useApi } from "../../../base/core/use_site.ts";

/** The interval of a keep-alive call during playback, so that the session does not expire. */
const SIGN_OF_LIFE_MS = 4 * 60_000;

/** The props of the media element. */
export interface Player {
  player: RefObject<HTMLVideoElement>;
  /** The subtitles of a video, once they are known. */
  tracks: Track[];
  /** The index of the subtitles that are shown; -1 for none. */
  shown: number;
  /** Shows subtitles by their index, -1 for none, and remembers that. */
  show: (index: number) => void;
  onLoadedMetadata: () => void;
  onTimeUpdate: () => void;
  onError: () => void;
}

/** Resumes playback at the same position when the address changes. */
export function usePlayer(entry: Resource, source: PreviewSource): Player {
  const api = useApi();
  const { language } = useTranslation().i18n;
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

  const tracks = tracksOf(entry.path, subtitles, language, api);
  const [choice, setChoice] = useState(() => readChoice(openLocalStorage()));
  const shown = shownTrack(tracks, choice);
  const show = (index: number) => {
    const chosen = choiceOf(tracks[index]);
    keepIn(openLocalStorage(), CHOICE, chosen);
    setChoice(chosen);
  };
  useEffect(() => {
    const { textTracks } = player.current ?? {};
    if (!textTracks) return;
    // Browsers choose none by themselves when the tracks come after the video.
    for (const [index, track] of [...textTracks].entries()) {
      track.mode = index === shown ? "showing" : "disabled";
    }
    // The player's own menu.
    const follow = () => {
      const now = [...textTracks].findIndex(({ mode }) => mode === "showing");
      if (now !== shown && textTracks.length === tracks.length) show(now);
    };
    textTracks.addEventListener("change", follow);
    return () => textTracks.removeEventListener("change", follow);
  }, [path, shown, tracks.length]);

  return {
    player,
    tracks,
    shown,
    show,
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
