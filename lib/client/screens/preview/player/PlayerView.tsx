import { useTranslation } from "react-i18next";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import type { PreviewSource } from "../preview_source.ts";
import { usePlayer } from "./use_player.ts";
import { EntryIcon } from "../../../files_page/listing/thumbs/EntryIcon.tsx";
import { Thumb } from "../../../files_page/listing/thumbs/Thumb.tsx";
import { ListMusic } from "lucide";
import { Button } from "../../../../../components/Button.tsx";
import { usePage } from "../../../base/core/page.ts";
import { useMusicRequests, useMusicTrack } from "../../../base/core/use_panels.ts";
import { SoundControls } from "./PlayerBars.tsx";

interface PlayerViewProps {
  entry: Resource;
  source: PreviewSource;
  /** Plays at once. */
  autoPlay: boolean;
  /** Called at the end. */
  onEnded: () => void;
}

/**
 * A sound with its title and controls: those of the music player at the foot of the page, while that
 * has the sound.
 */
export function PlayerView({ entry, source, autoPlay, onEnded }: PlayerViewProps) {
  const { t } = useTranslation();
  const { player, ...handlers } = usePlayer(entry, source);
  const { ThumbKinds } = usePage().data.config;
  const requests = useMusicRequests();
  const isBelow = useMusicTrack().value === entry.path;
  const src = source.address.value;
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
