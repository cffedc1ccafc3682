import { Play } from "lucide";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../../components/Icon.tsx";
import type { Entry, Resource } from "../../../../shared/schemas/entry.ts";
import { usePage } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { coverOf, type PreviewSource } from "../preview_source.ts";
import type { FullScreen } from "../use_screen.ts";
import { FilmBar } from "./FilmBar.tsx";
import { filmKey } from "./film_keys.ts";
import { FilmNotice, NextCard } from "./FilmNotices.tsx";
import { useFilm, useFilmState, useNextFilm } from "./use_film.ts";
import { useSubtitles } from "./use_subtitles.ts";
import { useTaps } from "./use_taps.ts";

/** What a film has of the preview around it. */
export interface FilmFrame {
  fullScreen: FullScreen;
  /** Takes keys first while a film is open. @returns whether the key was one of the film's */
  keys: RefObject<((event: KeyboardEvent) => boolean) | null>;
  /** Opens another film, and plays it. */
  goOn: (to: Entry) => void;
  /** Whether a slideshow shows it: its own controls lead on. */
  isShow: boolean;
  /** Whether the user has been idle for a while. */
  isIdle: boolean;
}

interface FilmPlayerProps {
  entry: Resource;
  source: PreviewSource;
  /** Plays at once. */
  autoPlay: boolean;
  /** Called at the end. */
  onEnded: () => void;
  frame: FilmFrame;
}

/** The player of a film: its pictures, the controls over them, and what it says of itself. */
export function FilmPlayer({ entry, source, autoPlay, onEnded, frame }: FilmPlayerProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { ThumbKinds } = usePage().data.config;
  const { film, element } = useFilm(entry, source, autoPlay);
  const { state, look } = useFilmState(film, element);
  const next = useNextFilm(entry);
  const [isBegun, setBegun] = useState(autoPlay);
  const isRaised = !(frame.isIdle && state.isPlaying);
  const subtitles = useSubtitles(entry, element, film.info.value, isRaised);
  const { fullScreen, isShow } = frame;

  const setRate = (rate: number) => {
    if (element.current) element.current.playbackRate = element.current.defaultPlaybackRate = rate;
  };
  const toggleScreen = () => {
    if (fullScreen.isOn) fullScreen.leave();
    else if (fullScreen.isOffered) fullScreen.enter();
    else showInPhone(element.current);
  };
  const toggleSubtitles = () => {
    const { tracks, shown, show } = subtitles;
    if (tracks.length > 0) show(shown === -1 ? lastShown.current : -1);
  };
  const lastShown = useRef(0);
  if (subtitles.shown !== -1) lastShown.current = subtitles.shown;
  const goOn = () => next && frame.goOn(next);

  useLayoutEffect(() => {
    frame.keys.current = (event) => {
      const wasKey = filmKey(event, {
        ...{ film, isBegun: isBegun && !isShow, rate: state.rate, setRate },
        fullScreen: toggleScreen,
        subtitles: toggleSubtitles,
        ...next && { next: () => frame.goOn(next) },
      });
      if (wasKey) look();
      return wasKey;
    };
    return () => void (frame.keys.current = null);
  });
  useEffect(() => state.isPlaying ? setBegun(true) : undefined, [state.isPlaying]);
  const taps = useTaps({ film, toggleScreen, look });

  return (
    <div
      className="film"
      data-playing={state.isPlaying || undefined}
      data-begun={isBegun || undefined}
    >
      <video
        ref={element}
        className="film__video"
        poster={ThumbKinds.includes("video") ? coverOf(api, entry) : undefined}
        playsInline
        preload="metadata"
        aria-label={entry.name}
        onEnded={onEnded}
        {...taps.handlers}
      >
        {subtitles.tracks.map(({ address, label, language }) => (
          <track
            key={address}
            kind="subtitles"
            src={address}
            srclang={language || undefined}
            label={label || t("preview.subtitles")}
          />
        ))}
      </video>
      {taps.skipped !== 0 && (
        <span
          className="film__skipped"
          data-back={taps.skipped < 0 || undefined}
          aria-hidden="true"
        >
          {`${taps.skipped > 0 ? "+" : "−"}${Math.abs(taps.skipped)}`}
        </span>
      )}
      {!isBegun && (
        <span className="film__start" aria-hidden="true">
          <Icon glyph={Play} />
        </span>
      )}
      {state.isLoading && <span className="film__spinner" aria-hidden="true" />}
      <FilmNotice entry={entry} film={film} isBegun={isBegun} />
      {state.hasEnded && next && !isShow && (
        <NextCard key={next.path} film={film} next={next} onNext={goOn} />
      )}
      <FilmBar
        {...{ entry, film, element, state, subtitles, fullScreen, next }}
        onFullScreen={toggleScreen}
        onRate={setRate}
        onNext={goOn}
        onChange={look}
      />
    </div>
  );
}

/** Full screen of phones that show nothing but a video in it. */
function showInPhone(element: HTMLVideoElement | null): void {
  const phone = element as { webkitEnterFullscreen?: () => void } | null;
  phone?.webkitEnterFullscreen?.();
}
