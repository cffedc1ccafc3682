import { type RefObject, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { parsePath } from "../../../../shared/path.ts";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import type { StreamInfo } from "../../../../shared/schemas/stream.ts";
import { keepIn, openLocalStorage } from "../../../base/core/browser_storage.ts";
import { useApi } from "../../../base/core/use_site.ts";
import {
  CHOICE,
  choiceOf,
  innerTracks,
  pictureTracks,
  readChoice,
  shownTrack,
  type Track,
  tracksOf,
} from "./subtitle_tracks.ts";

/** The subtitles of a film. */
export interface Subtitles {
  /** The files beside it, then those inside of it. */
  tracks: Track[];
  /** The names of those inside of it that are pictures, which cannot be shown; some are "". */
  pictures: string[];
  /** The index of the track that is shown; -1 for none. */
  shown: number;
  /** Shows a track, -1 for none, and remembers that. */
  show: (index: number) => void;
}

/** Lines that subtitles are raised by while the controls are shown. */
const RAISED_LINES = -4;

/**
 * The subtitles of a film: those in files beside it, and inside of it.
 *
 * @param isRaised whether controls are shown below them
 */
export function useSubtitles(
  entry: Resource,
  element: RefObject<HTMLVideoElement>,
  info: StreamInfo | null,
  isRaised: boolean,
): Subtitles {
  const api = useApi();
  const { language } = useTranslation().i18n;
  const [beside, setBeside] = useState(entry.subtitles ?? []);
  const { path } = parsePath(entry.path);
  useEffect(() => {
    if (entry.subtitles) return;
    const leaving = new AbortController();
    void api.resource(path, { offset: 0, limit: 0, signal: leaving.signal })
      .then((answer) => answer.ok && setBeside(answer.value.subtitles ?? []));
    return () => leaving.abort();
  }, [path]);

  const tracks = [
    ...tracksOf(entry.path, beside, language, api),
    ...innerTracks(path, info?.subtitles ?? [], language, api),
  ];
  const [choice, setChoice] = useState(() => readChoice(openLocalStorage()));
  const shown = shownTrack(tracks, choice);
  const [picked, setPicked] = useState<number | null>(null);
  // Two tracks of one language are told apart until the film is left.
  const isSame = picked !== null && choiceOf(tracks[picked]) === choice;
  const now = isSame ? picked : shown;
  const show = (index: number) => {
    const chosen = choiceOf(tracks[index]);
    keepIn(openLocalStorage(), CHOICE, chosen);
    setChoice(chosen);
    setPicked(index);
  };
  useEffect(() => {
    const { textTracks } = element.current ?? {};
    if (!textTracks) return;
    // Browsers choose none by themselves when the tracks come after the video.
    for (const [index, track] of [...textTracks].entries()) {
      track.mode = index === now ? "showing" : "disabled";
    }
    // The browser's own menu, such as that of a phone's player.
    const follow = () => {
      if (textTracks[now]?.mode === "showing") {
        // Browsers show one of their own choice besides, once there was one.
        for (const [index, track] of [...textTracks].entries()) {
          if (index !== now && track.mode === "showing") track.mode = "disabled";
        }
        return;
      }
      const at = [...textTracks].findIndex(({ mode }) => mode === "showing");
      if (at !== now && textTracks.length === tracks.length) show(at);
    };
    textTracks.addEventListener("change", follow);
    return () => textTracks.removeEventListener("change", follow);
  }, [path, now, tracks.length]);
  useEffect(() => {
    const track = element.current?.textTracks[now];
    if (!track) return;
    const place = () => {
      for (const cue of track.cues ?? []) {
        if (!(cue instanceof VTTCue)) continue;
        if (isRaised && cue.line === "auto") cue.line = RAISED_LINES;
        else if (!isRaised && cue.line === RAISED_LINES) cue.line = "auto";
      }
      // Draws those again that are in view.
      if (track.mode !== "showing" || !track.activeCues?.length) return;
      track.mode = "hidden";
      track.mode = "showing";
    };
    place();
    // A load does not bubble.
    element.current?.addEventListener("load", place, true);
    return () => element.current?.removeEventListener("load", place, true);
  }, [path, now, tracks.length, isRaised]);
  const pictures = pictureTracks(info?.subtitles ?? [], language);
  return { tracks, pictures, shown: now, show };
}
