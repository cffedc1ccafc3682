import { useTranslation } from "react-i18next";
import type { Resource } from "../../../../shared/schemas/entry.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { coverOf, type PreviewSource } from "../preview_source.ts";
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
  const api = useApi();
  const { ThumbKinds } = usePage().data.config;
  const requests = useMusicRequests();
  const isBelow = useMusicTrack().value === entry.path;
  const { help, wants, element } = usePlayer(entry, source, !isBelow);
  const player = element.ref;
  const isWaiting = help === "waits";
  const src = source.address.value;
  const hasCover = ThumbKinds.includes("audio");
  const cover = hasCover ? coverOf(api, entry) : "";
  return (
    <div className="viewer__sound">
      {hasCover ? <Thumb entry={entry} /> : <EntryIcon entry={entry} />}
      <h2 className="viewer__title" dir="auto">{entry.name}</h2>
      {!isBelow && (
        <>
          <audio
            src={src}
            preload="metadata"
            autoPlay={autoPlay}
            onEnded={onEnded}
            {...element}
          />
          <SoundControls
            player={player}
            shown={{ title: entry.name, album: "", cover }}
            onWant={wants}
          />
          {help !== "none" && (
            <p className="viewer__converted" role="status">
              {t(isWaiting ? "music.waiting" : "music.converted")}
            </p>
          )}
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
