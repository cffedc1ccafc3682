import { Repeat, Repeat1, Shuffle } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import type { Music } from "./music.ts";

interface ModeButtonProps {
  music: Music;
  /** It is shown on narrow screens, too. */
  always?: boolean;
}

/** Plays in an order by chance. */
export function ShuffleButton({ music, always }: ModeButtonProps) {
  const { t } = useTranslation();
  const isShuffled = music.queue.isShuffled.value;
  return (
    <IconButton
      className={always ? "player__mode" : "player__mode player__wide"}
      label={t("music.shuffle")}
      glyph={Shuffle}
      aria-pressed={isShuffled}
      onClick={() => music.shuffle(!isShuffled)}
    />
  );
}

/** The mode after the last track. */
export function RepeatButton({ music, always }: ModeButtonProps) {
  const { t } = useTranslation();
  const mode = music.queue.repeat.value;
  return (
    <IconButton
      className={always ? "player__mode" : "player__mode player__wide"}
      label={t(`music.repeat.${mode}`)}
      glyph={mode === "one" ? Repeat1 : Repeat}
      data-on={mode !== "off" || undefined}
      onClick={() => music.repeats()}
    />
  );
}
