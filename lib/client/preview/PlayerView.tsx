import type { Resource } from "../../shared/api_types.ts";
import type { PreviewSource } from "./preview_source.ts";
import { usePlayer } from "./use_player.ts";
import { useTranslation } from "../core/use_translation.ts";
import { EntryIcon } from "../listing/EntryIcon.tsx";

interface PlayerViewProps {
  entry: Resource;
  source: PreviewSource;
}

/** A video with its subtitles, or a sound with its title, in the browser's player. */
export function PlayerView({ entry, source }: PlayerViewProps) {
  const { t } = useTranslation();
  const { player, tracks, ...handlers } = usePlayer(entry, source);
  const src = source.address.value;
  if (entry.type === "audio") {
    return (
      <div className="viewer__sound">
        <EntryIcon entry={entry} />
        <h2 className="viewer__title" dir="auto">{entry.name}</h2>
        <audio
          ref={player}
          src={src}
          controls
          preload="metadata"
          aria-label={entry.name}
          {...handlers}
        />
      </div>
    );
  }
  return (
    <video
      className="viewer__film"
      ref={player}
      src={src}
      controls
      playsInline
      preload="metadata"
      aria-label={entry.name}
      {...handlers}
    >
      {tracks.map(({ address, label, language, isDefault }) => (
        <track
          key={address}
          kind="subtitles"
          src={address}
          srclang={language || undefined}
          label={label || t("preview.subtitles")}
          default={isDefault}
        />
      ))}
    </video>
  );
}
