import { Captions, CaptionsOff, Check, Download, type IconNode, Settings } from "lucide";
import { type ReactNode, type RefObject, useId, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import { Menu } from "../../../../../components/Menu.tsx";
import { parsePath } from "../../../../shared/path.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { useApi, useMaySave } from "../../../base/core/use_site.ts";
import { toggleAbove } from "./above.ts";
import { SPEEDS } from "./film_keys.ts";
import type { FilmPlayback } from "./film_playback.ts";
import { openDecoder, qualitiesFor, type Quality } from "./how_to_play.ts";
import { audioName, type Track } from "./subtitle_tracks.ts";
import type { Subtitles } from "./use_subtitles.ts";

interface BarMenuProps {
  label: string;
  glyph: IconNode;
  children: ReactNode;
}

/** A button of the bar with a menu above it. */
function BarMenu({ label, glyph, children }: BarMenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  const wasOpen = useRef(false);
  const [at, setAt] = useState<{ x: number; y: number }>();
  return (
    <>
      <IconButton
        buttonRef={button}
        label={label}
        glyph={glyph}
        aria-haspopup="menu"
        aria-expanded={at !== undefined}
        // The press closes an open menu by itself.
        onPointerDown={() => wasOpen.current = at !== undefined}
        onClick={() => {
          const box = button.current?.getBoundingClientRect();
          if (box && !wasOpen.current) setAt({ x: box.right, y: box.top - 4 });
          wasOpen.current = false;
        }}
      />
      {at && (
        <Menu id={id} label={label} title={label} at={at} onClose={() => setAt(undefined)}>
          {children}
        </Menu>
      )}
    </>
  );
}

interface ChoiceProps {
  isChosen: boolean;
  role?: "menuitemradio" | "menuitemcheckbox";
  onClick: () => void;
  children: ReactNode;
}

/** One of several items, or one by itself, with a mark if it is chosen. */
function Choice({ isChosen, role = "menuitemradio", onClick, children }: ChoiceProps) {
  return (
    <button
      type="button"
      role={role}
      aria-checked={isChosen}
      tabIndex={-1}
      className="menu__item film__choice"
      onClick={onClick}
    >
      <Icon glyph={Check} />
      {children}
    </button>
  );
}

/** Items about one thing, below its name. */
function Group({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div role="group" aria-label={label}>
      <p className="film__group" aria-hidden="true">{label}</p>
      {children}
    </div>
  );
}

/** Shows and hides the subtitles of a film; a menu where there are several. */
export function SubtitleMenu({ tracks, pictures, shown, show }: Subtitles) {
  const { t, i18n: { language } } = useTranslation();
  const wordOf = ({ label }: Track) => label || t("preview.subtitles");
  const glyph = shown === -1 ? CaptionsOff : Captions;
  const [only] = tracks;
  if (!only && pictures.length === 0) return null;
  if (only && tracks.length === 1 && pictures.length === 0) {
    return (
      <IconButton
        label={only.label ? `${t("preview.subtitles")}: ${only.label}` : t("preview.subtitles")}
        glyph={glyph}
        aria-pressed={shown !== -1}
        onClick={() => show(shown === -1 ? 0 : -1)}
      />
    );
  }
  return (
    <BarMenu label={t("preview.subtitles")} glyph={glyph}>
      {only && (
        <Choice isChosen={shown === -1} onClick={() => show(-1)}>
          {t("preview.subtitlesOff")}
        </Choice>
      )}
      {tracks.map((track, index) => (
        <Choice
          key={track.address}
          isChosen={shown === index}
          onClick={() => show(index)}
        >
          {wordOf(track)}
        </Choice>
      ))}
      {pictures.length > 0 && (
        <button type="button" role="menuitem" tabIndex={-1} className="menu__item" disabled>
          {t("film.pictureSubtitles", {
            tracks: new Intl.ListFormat(language, { type: "unit" }).format(
              pictures.map((name, at) =>
                name || t("film.track", { number: at + 1 })
              ),
            ),
          })}
        </button>
      )}
    </BarMenu>
  );
}

interface FilmSettingsProps {
  entry: Entry;
  film: FilmPlayback;
  rate: number;
  /** Whether another film can follow. */
  hasNext: boolean;
  /** Where the bar has no room for the button: the film over other windows. */
  above: { isAbove: boolean; element: RefObject<HTMLVideoElement> } | null;
}

/** The audio track, the quality and the speed of a film, and what follows it. */
export function FilmSettings({ entry, film, rate, hasNext, above }: FilmSettingsProps) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const maySave = useMaySave();
  const info = film.info.value;
  const { quality, height, goesOn } = film.choices.value;
  const audio = info?.audio ?? [];
  const qualities = info ? qualitiesFor(info, entry.name, openDecoder()) : [];
  const words: Record<Quality, string> = {
    original: t("film.original"),
    1080: "1080p",
    480: "480p",
  };
  const wanted = qualities.includes("original") ? quality : height;
  const chosen = qualities.includes(wanted) ? wanted : qualities.at(-1);
  const format = new Intl.NumberFormat(language);
  return (
    <BarMenu label={t("film.settings")} glyph={Settings}>
      {audio.length > 1 && (
        <Group label={t("film.audio")}>
          {audio.map((track, index) => (
            <Choice
              key={index}
              isChosen={film.audio.value === index}
              onClick={() => film.chooseAudio(index)}
            >
              {audioName(track, language) || t("film.track", { number: index + 1 })}
            </Choice>
          ))}
        </Group>
      )}
      {qualities.length > 0 && (
        <Group label={t("film.quality")}>
          {qualities.map((one) => (
            <Choice
              key={one}
              isChosen={chosen === one}
              onClick={() => film.chooseQuality(one)}
            >
              {words[one]}
            </Choice>
          ))}
        </Group>
      )}
      <Group label={t("film.speed")}>
        {SPEEDS.map((speed) => (
          <Choice
            key={speed}
            isChosen={rate === speed}
            onClick={() => film.setSpeed(speed)}
          >
            <span dir="ltr">{`${format.format(speed)}×`}</span>
          </Choice>
        ))}
      </Group>
      {(hasNext || above || maySave) && <hr className="menu__rule" />}
      {hasNext && (
        <Choice
          role="menuitemcheckbox"
          isChosen={goesOn}
          onClick={() => film.goOn(!goesOn)}
        >
          {t("film.goesOn")}
        </Choice>
      )}
      {above && (
        <Choice
          role="menuitemcheckbox"
          isChosen={above.isAbove}
          onClick={() => void toggleAbove(above.element.current)}
        >
          {t("film.above")}
        </Choice>
      )}
      {maySave && (
        <a
          role="menuitem"
          tabIndex={-1}
          className="menu__item"
          href={api.rawAddress(parsePath(entry.path).path)}
          download
        >
          <Icon glyph={Download} />
          {t("film.save")}
        </a>
      )}
    </BarMenu>
  );
}
