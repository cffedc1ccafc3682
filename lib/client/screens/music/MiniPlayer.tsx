import { ListMusic, Pause, Play, SkipBack, SkipForward, X } from "lucide";
import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import type { Entry } from "../../../shared/schemas/entry.ts";
import { parsePath } from "../../../shared/path.ts";
import { usePage } from "../../base/core/page.ts";
import { useReturnedFocus } from "../../base/core/focus.ts";
import { useMusicTrack } from "../../base/core/use_panels.ts";
import { useMay } from "../../base/core/use_site.ts";
import { EntryIcon } from "../../files_page/listing/thumbs/EntryIcon.tsx";
import { Thumb } from "../../files_page/listing/thumbs/Thumb.tsx";
import { useFiles } from "../../base/files/use_files.ts";
import { folderOf, titleOf, useMusic, useMusicTasks, useSystemMusic } from "./use_music.ts";
import type { Music } from "./music.ts";
import { QueuePanel, RepeatButton, ShuffleButton } from "./QueuePanel.tsx";
import { TimeBar, VolumeBar } from "../preview/player/PlayerBars.tsx";

/** The player at the foot of the page, while there is music. */
export function MiniPlayer() {
  const music = useMusic();
  useMusicTasks(music);
  useSystemMusic(music);
  const track = music.queue.current.value;
  const shown = useMusicTrack();
  const path = track?.entry.path ?? null;
  useEffect(() => void (shown.value = path), [path]);
  return track && <PlayerBar music={music} entry={track.entry} />;
}

interface PlayerBarProps {
  music: Music;
  entry: Entry;
}

function PlayerBar({ music, entry }: PlayerBarProps) {
  const { t } = useTranslation();
  const bar = useRef<HTMLElement>(null);
  const opener = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const closeQueue = () => {
    setOpen(false);
    opener.current?.focus();
  };
  useRoom(bar);
  useReturnedFocus(bar);
  const isPlaying = music.isPlaying.value;
  return (
    <section className="player" ref={bar} aria-label={t("music.player")}>
      {isOpen && <QueuePanel music={music} onClose={closeQueue} />}
      <TimeBar {...music.time.value} onSeek={(seconds) => music.seek(seconds)} />
      <TrackTitle entry={entry} music={music} />
      <div className="player__acts">
        <ShuffleButton music={music} />
        <IconButton
          className="player__wide"
          label={t("music.previous")}
          glyph={SkipBack}
          mirror
          onClick={() => music.previous()}
        />
        <IconButton
          className="player__play"
          variant="primary"
          label={t(isPlaying ? "buttons.pause" : "commands.play")}
          glyph={isPlaying ? Pause : Play}
          onClick={() => music.toggle()}
        />
        <IconButton
          label={t("music.next")}
          glyph={SkipForward}
          mirror
          disabled={!music.queue.hasNext}
          onClick={() => music.next()}
        />
        <RepeatButton music={music} />
      </div>
      <div className="player__side">
        <VolumeBar
          className="player__volume player__wide"
          volume={music.volume.value}
          isMuted={music.isMuted.value}
          onMute={(isMuted) => music.mute(isMuted)}
          onVolume={(volume) => music.setVolume(volume)}
        />
        <IconButton
          buttonRef={opener}
          label={t("music.queue")}
          glyph={ListMusic}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
        <IconButton label={t("music.close")} glyph={X} onClick={() => music.close()} />
      </div>
    </section>
  );
}

/** Keeps room for the player: the page ends above it, and so does what floats over the page. */
function useRoom(bar: RefObject<HTMLElement>): void {
  useLayoutEffect(() => {
    const { current } = bar;
    if (!current) return;
    const { style } = document.documentElement;
    const measure = () => style.setProperty("--player", `${current.offsetHeight}px`);
    measure();
    const resized = new ResizeObserver(measure);
    resized.observe(current);
    return () => {
      resized.disconnect();
      style.removeProperty("--player");
    };
  }, []);
}

/** The current track, with a link to it. */
function TrackTitle({ entry, music }: PlayerBarProps) {
  const { t } = useTranslation();
  const { title, artist, album } = music.tags.value;
  const about = [artist, album].filter(Boolean).join(" · ");
  const { navigation } = useFiles();
  const { ThumbKinds } = usePage().data.config;
  const mayRead = useMay()("download");
  return (
    <div className="player__track">
      {ThumbKinds.includes("audio") && mayRead
        ? <Thumb key={entry.path} entry={entry} small />
        : <EntryIcon entry={entry} />}
      <div className="player__about">
        <a
          className="player__title"
          href={navigation.href(parsePath(entry.path).path, false)}
          data-place
          dir="auto"
        >
          {title || titleOf(entry)}
        </a>
        <p className="player__folder" dir="auto" role="status">
          {music.isWaiting.value ? t("music.waiting") : about || folderOf(entry)}
        </p>
      </div>
    </div>
  );
}
