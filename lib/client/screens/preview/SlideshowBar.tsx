import { Pause, Play, Repeat, X } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { INTERVALS, type Slideshow } from "./slideshow.ts";

/** The controls of a slideshow while there is one. */
export function SlideshowBar({ show }: { show: Slideshow }) {
  const { t, i18n: { language } } = useTranslation();
  const isPlaying = show.state.value === "playing";
  const format = new Intl.NumberFormat(language, { style: "unit", unit: "second" });
  return (
    <div className="viewer__zoom" role="group" aria-label={t("preview.slideshow")}>
      <IconButton
        label={t(isPlaying ? "buttons.pause" : "buttons.goOn")}
        glyph={isPlaying ? Pause : Play}
        onClick={() => isPlaying ? show.pause() : show.play()}
      />
      <select
        className="viewer__interval"
        aria-label={t("preview.interval")}
        value={show.seconds.value}
        onChange={({ currentTarget }) => show.every(Number(currentTarget.value))}
      >
        {INTERVALS.map((seconds) => (
          <option key={seconds} value={seconds}>{format.format(seconds)}</option>
        ))}
      </select>
      <IconButton
        label={t("preview.repeat")}
        glyph={Repeat}
        aria-pressed={show.repeats.value}
        onClick={() => show.repeat(!show.repeats.peek())}
      />
      <IconButton label={t("buttons.stop")} glyph={X} onClick={() => show.stop()} />
    </div>
  );
}
