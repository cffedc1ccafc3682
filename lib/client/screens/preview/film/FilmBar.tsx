import {
  Maximize,
  Minimize,
  Pause,
  PictureInPicture2,
  Play,
  SkipForward,
  Volume2,
  VolumeX,
} from "lucide";
import type { RefObject } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { displayName } from "../../../../shared/entry_names.ts";
import { formatTime } from "../player/PlayerBars.tsx";
import type { FullScreen } from "../use_screen.ts";
import type { FilmPlayback } from "./film_playback.ts";
import { FilmSettings, SubtitleMenu } from "./FilmMenus.tsx";
import { SeekBar } from "./SeekBar.tsx";
import type { FilmState } from "./use_film.ts";
import type { Subtitles } from "./use_subtitles.ts";

interface FilmBarProps {
  entry: Entry;
  film: FilmPlayback;
  element: RefObject<HTMLVideoElement>;
  state: FilmState;
  subtitles: Subtitles;
  fullScreen: FullScreen;
  onFullScreen: () => void;
  onRate: (rate: number) => void;
  /** Null where none follows. */
  next: Entry | null;
  onNext: () => void;
  /** Draws the state again, after what tells of itself by no event. */
  onChange: () => void;
}

/** The controls of a film, which lie over its lower edge. */
export function FilmBar(props: FilmBarProps) {
  const { entry, film, element, state, subtitles, fullScreen, next, onChange } = props;
  const { t } = useTranslation();
  const { at, of, isPlaying, rate, isAbove } = state;
  const { volume, isMuted } = film.choices.value;
  const heard = isMuted ? 0 : volume;
  return (
    <div className="film__bar">
      <SeekBar
        entry={entry}
        at={at}
        of={of}
        loaded={state.loaded}
        hasPictures={film.info.value?.video !== undefined}
        onSeek={(seconds) => {
          film.seek(seconds);
          onChange();
        }}
      />
      <div className="film__acts">
        <IconButton
          label={t(isPlaying ? "buttons.pause" : "commands.play")}
          glyph={isPlaying ? Pause : Play}
          onClick={() => {
            film.toggle();
            onChange();
          }}
        />
        {next && (
          <IconButton
            className="film__wide"
            label={`${t("film.next")}: ${displayName(next.name)}`}
            glyph={SkipForward}
            mirror
            onClick={props.onNext}
          />
        )}
        <div className="film__volume">
          <IconButton
            label={t("music.mute")}
            glyph={heard === 0 ? VolumeX : Volume2}
            aria-pressed={isMuted}
            onClick={() => film.mute(!isMuted)}
          />
          <input
            type="range"
            className="film__loudness"
            dir="ltr"
            aria-label={t("music.volume")}
            min={0}
            max={1}
            step={0.05}
            value={heard}
            style={{ "--done": `${heard * 100}%` }}
            onInput={({ currentTarget }) => film.setVolume(Number(currentTarget.value))}
          />
        </div>
        <span className="film__time" dir="ltr">{`${formatTime(at)} / ${formatTime(of)}`}</span>
        <div className="film__more">
          <SubtitleMenu {...subtitles} />
          <FilmSettings
            entry={entry}
            film={film}
            rate={rate}
            onRate={props.onRate}
            hasNext={next !== null}
          />
          {document.pictureInPictureEnabled && (
            <IconButton
              className="film__wide"
              label={t("film.above")}
              glyph={PictureInPicture2}
              aria-pressed={isAbove}
              onClick={() => void toggleAbove(element.current)}
            />
          )}
          <IconButton
            label={t(fullScreen.isOn ? "preview.smallScreen" : "preview.fullScreen")}
            glyph={fullScreen.isOn ? Minimize : Maximize}
            onClick={props.onFullScreen}
          />
        </div>
      </div>
    </div>
  );
}

/** Puts a film over other windows, or back. */
async function toggleAbove(element: HTMLVideoElement | null): Promise<void> {
  try {
    if (document.pictureInPictureElement) await document.exitPictureInPicture();
    else await element?.requestPictureInPicture();
  } catch {
    // Refused by the browser, as for a film without pictures yet.
  }
}
