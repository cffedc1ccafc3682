import { useTranslation } from "react-i18next";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { coverOf, type PreviewSource } from "../preview_source.ts";
import { type Track, usePlayer } from "./use_player.ts";
import { EntryIcon } from "../../../files_page/listing/thumbs/EntryIcon.tsx";
import { Thumb } from "../../../files_page/listing/thumbs/Thumb.tsx";
import { Captions, CaptionsOff, Check, ListMusic } from "lucide";
import { Button, IconButton } from "../../../../../components/Button.tsx";
import { usePage } from "../../../base/core/page.ts";
import { useMusicRequests, useMusicTrack } from "../../../base/core/use_panels.ts";
import { SoundControls } from "./PlayerBars.tsx";
import { Menu, MenuItem } from "../../../../../components/Menu.tsx";

interface PlayerViewProps {
  entry: Resource;
  source: PreviewSource;
  /** Plays at once. */
  autoPlay: boolean;
  /** Called at the end. */
  onEnded: () => void;
}

/**
 * A video with its subtitles in the browser's player, or a sound with its title and controls: those
 * of the music player at the foot of the page, while that has the sound.
 */
export function PlayerView({ entry, source, autoPlay, onEnded }: PlayerViewProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { player, tracks, shown, show, ...handlers } = usePlayer(entry, source);
  const { ThumbKinds } = usePage().data.config;
  const requests = useMusicRequests();
  const isBelow = useMusicTrack().value === entry.path;
  const poster = ThumbKinds.includes("video") ? coverOf(api, entry) : undefined;
  const src = source.address.value;
  if (entry.type === "audio") {
    return (
      <div className="viewer__sound">
        {ThumbKinds.includes("audio") ? <Thumb entry={entry} /> : <EntryIcon entry={entry} />}
        <h2 className="viewer__title" dir="auto">{entry.name}</h2>
        {!isBelow && (
          <>
            <audio
              ref={player}
              src={src}
              preload="metadata"
              autoPlay={autoPlay}
              onEnded={onEnded}
              {...handlers}
            />
            <SoundControls player={player} />
            <Button
              variant="quiet"
              glyph={ListMusic}
              onClick={() => {
                const seconds = player.current?.currentTime;
                player.current?.pause();
                requests.value = [...requests.peek(), { does: "play", entries: [entry], seconds }];
              }}
            >
              {t("music.background")}
            </Button>
          </>
        )}
      </div>
    );
  }
  return (
    <>
      <video
        className="viewer__film"
        ref={player}
        src={src}
        poster={poster}
        controls
        playsInline
        preload="metadata"
        autoPlay={autoPlay}
        aria-label={entry.name}
        onEnded={onEnded}
        {...handlers}
      >
        {tracks.map(({ address, label, language }) => (
          <track
            key={address}
            kind="subtitles"
            src={address}
            srclang={language || undefined}
            label={label || t("preview.subtitles")}
          />
        ))}
      </video>
      <SubtitleButton tracks={tracks} shown={shown} onShow={show} />
    </>
  );
}

interface SubtitleButtonProps {
  tracks: readonly Track[];
  /** The index of the track that is shown; -1 for none. */
  shown: number;
  onShow: (index: number) => void;
}

const ID = "subtitle-menu";

/** Shows and hides the subtitles of a video; a menu where there are several. */
function SubtitleButton({ tracks, shown, onShow }: SubtitleButtonProps) {
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
