import { Download, RotateCcw, SkipForward } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconLink } from "../../../../../components/Button.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { parsePath } from "../../../../shared/path.ts";
import type { Entry } from "../../../../shared/schemas/entry.ts";
import { useApi, useMaySave } from "../../../base/core/use_site.ts";
import { formatTime } from "../player/times.ts";
import type { FilmPlayback } from "./film_playback.ts";
import type { Plan } from "./how_to_play.ts";

/** How long it is said that a film goes on from an earlier time. */
const RESUMED_MS = 10_000;
/** The time to stop the next film from playing by itself, in seconds. */
const COUNTED_S = 8;

interface FilmNoticeProps {
  entry: Entry;
  film: FilmPlayback;
  isBegun: boolean;
}

/** Says how a film is played, where not as it is; that it waits for a turn; where it goes on from. */
export function FilmNotice({ entry, film, isBegun }: FilmNoticeProps) {
  const { t } = useTranslation();
  const api = useApi();
  const maySave = useMaySave();
  const plan = film.plan.value;
  const planText = usePlanText(plan);
  const place = film.place.value;
  const text = place > 0 ? t("film.queued", { place }) : planText;
  const resumedAt = film.resumedAt.value;
  const [isOver, setOver] = useState(false);
  useEffect(() => {
    if (!isBegun || resumedAt === 0) return;
    const timer = setTimeout(() => setOver(true), RESUMED_MS);
    return () => clearTimeout(timer);
  }, [isBegun, resumedAt]);
  return (
    <div className="film__notices" data-lasting={place > 0 || undefined}>
      <div className="film__notice" hidden={text === null}>
        <p role="status">{text}</p>
        {text !== null && maySave && (
          <IconLink
            label={t("film.save")}
            glyph={Download}
            href={api.rawAddress(parsePath(entry.path).path)}
            download
          />
        )}
      </div>
      {resumedAt > 0 && !isOver && (
        <div className="film__notice">
          <p role="status">{t("film.resumed", { time: formatTime(resumedAt) })}</p>
          <Button variant="quiet" glyph={RotateCcw} onClick={() => film.seek(0)}>
            {t("film.startOver")}
          </Button>
        </div>
      )}
    </div>
  );
}

/** What a person has to know of the way that a film is played; null for nothing. */
function usePlanText(plan: Plan | null): string | null {
  const { t } = useTranslation();
  if (plan?.is !== "stream") return null;
  const { why, video } = plan;
  switch (why.is) {
    case "video":
      return t("film.convertingVideo", { codec: why.codec });
    case "audio":
      return t("film.convertingSound", { codec: why.codec });
    case "container":
      return video === "copy"
        ? t("film.repacking", { format: why.name })
        : t("film.convertingVideo", { codec: why.name });
    case "choice":
      return video === "copy" ? null : t("film.convertingTo", { quality: `${video}p` });
  }
}

interface NextCardProps {
  film: FilmPlayback;
  next: Entry;
  onNext: () => void;
}

/** Offers the next film at the end of one; it follows by itself if the user has chosen that. */
export function NextCard({ film, next, onNext }: NextCardProps) {
  const { t, i18n: { language } } = useTranslation();
  const seconds = new Intl.NumberFormat(language, { style: "unit", unit: "second" });
  const { goesOn } = film.choices.value;
  const [left, setLeft] = useState(COUNTED_S);
  const [isStopped, setStopped] = useState(false);
  const counts = goesOn && !isStopped;
  useEffect(() => {
    if (!counts) return setLeft(COUNTED_S);
    if (left <= 0) return onNext();
    const timer = setTimeout(() => setLeft(left - 1), 1000);
    return () => clearTimeout(timer);
  }, [counts, left]);
  const name = displayName(next.name);
  return (
    <div className="film__next" role="group" aria-label={t("film.next")}>
      <p className="film__next-word" role="status">
        {counts ? t("film.nextIn", { time: seconds.format(left) }) : t("film.next")}
      </p>
      <p className="film__next-name" dir="auto">{name}</p>
      <div className="film__next-acts">
        <Button variant="primary" glyph={SkipForward} onClick={onNext}>{t("commands.play")}</Button>
        {counts && (
          <Button variant="quiet" onClick={() => setStopped(true)}>{t("buttons.cancel")}</Button>
        )}
      </div>
      <label className="film__next-choice">
        <input
          type="checkbox"
          className="tick"
          checked={goesOn}
          onChange={() => {
            setStopped(false);
            film.goOn(!goesOn);
          }}
        />
        {t("film.goesOn")}
      </label>
    </div>
  );
}
