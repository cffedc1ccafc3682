import { Captions, CaptionsOff, Check } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { Menu, MenuItem } from "../../../../../components/Menu.tsx";
import type { Track } from "./subtitle_tracks.ts";

interface SubtitleButtonProps {
  tracks: readonly Track[];
  /** The index of the track that is shown; -1 for none. */
  shown: number;
  onShow: (index: number) => void;
}

const ID = "subtitle-menu";

/** Shows and hides the subtitles of a video; a menu where there are several. */
export function SubtitleButton({ tracks, shown, onShow }: SubtitleButtonProps) {
  const { t } = useTranslation();
  const wordOf = ({ label }: Track) => label || t("preview.subtitles");
  const glyph = shown === -1 ? CaptionsOff : Captions;
  const [only] = tracks;
  if (!only) return null;
  if (tracks.length === 1) {
    return (
      <IconButton
        className="viewer__captions"
        label={only.label ? `${t("preview.subtitles")}: ${only.label}` : t("preview.subtitles")}
        glyph={glyph}
        aria-pressed={shown !== -1}
        onClick={() => onShow(shown === -1 ? 0 : -1)}
      />
    );
  }
  return (
    <>
      <IconButton
        className="viewer__captions"
        label={t("preview.subtitles")}
        glyph={glyph}
        popovertarget={ID}
        aria-haspopup="menu"
      />
      <Menu id={ID} label={t("preview.subtitles")}>
        <MenuItem glyph={shown === -1 ? Check : CaptionsOff} onClick={() => onShow(-1)}>
          {t("preview.subtitlesOff")}
        </MenuItem>
        {tracks.map((track, index) => (
          <MenuItem
            key={track.address}
            glyph={shown === index ? Check : Captions}
            onClick={() => onShow(index)}
          >
            {wordOf(track)}
          </MenuItem>
        ))}
      </Menu>
    </>
  );
}
