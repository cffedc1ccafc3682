import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { Entry } from "../../../shared/schemas/entry.ts";
import type { MediaInfo } from "../../../shared/schemas/media.ts";
import { useMediaInfo } from "../listing/thumbs/use_media_info.ts";
import { formatNumber } from "../../base/core/format.ts";
import { CopyButton } from "./CopyButton.tsx";

/** The metadata of a picture, a video, a sound or a PDF, as lines of a list of facts. */
export function MediaFacts({ entry }: { entry: Entry }) {
  const { t, i18n: { language } } = useTranslation();
  const info = useMediaInfo(entry);
  if (!info) return null;
  const { duration, track, year, pages } = info;
  const place = placeOf(info);
  const number = (value?: number) => value === undefined ? "" : formatNumber(value, language);
  return (
    <>
      <Fact name={t("media.taken")}>{formatTaken(info, language)}</Fact>
      <Fact name={t("media.dimensions")}>{inOrder(formatDimensions(info, language))}</Fact>
      <Fact name={t("media.duration")}>{duration !== undefined && formatDuration(duration)}</Fact>
      <Fact name={t("media.pages")}>{number(pages)}</Fact>
      <Fact name={t("media.title")}>{info.title}</Fact>
      <Fact name={t("media.artist")}>{info.artist}</Fact>
      <Fact name={t("media.album")}>{info.album}</Fact>
      <Fact name={t("media.track")}>{number(track)}</Fact>
      <Fact name={t("media.year")}>{year !== undefined && String(year)}</Fact>
      <Fact name={t("media.camera")}>{info.camera}</Fact>
      <Fact name={t("media.lens")}>{info.lens}</Fact>
      <Fact name={t("media.exposure")}>{inOrder(formatExposure(info, language))}</Fact>
      <Fact name={t("media.codec")}>{info.codec}</Fact>
      <Fact name={t("media.place")}>
        {place && (
          <span className="info__copied">
            <span dir="ltr">{place.text}</span>
            <CopyButton label={t("media.copyMap")} text={place.link} />
          </span>
        )}
      </Fact>
    </>
  );
}

/** One line of a list of facts; nothing without a value. */
export function Fact({ name, children }: { name: string; children: ReactNode }) {
  if (children === null || children === undefined || children === "" || children === false) {
    return null;
  }
  return (
    <>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </>
  );
}

/** Numbers and units in their order, which right-to-left lines would change. */
function inOrder(text: string): ReactNode {
  return text && <bdi dir="ltr">{text}</bdi>;
}

/** The size of a picture: "4,032 × 3,024"; "" when it is not known. */
export function formatDimensions({ width, height }: MediaInfo, language: string): string {
  if (!width || !height) return "";
  return `${formatNumber(width, language)} × ${formatNumber(height, language)}`;
}

/** A duration as players show it: "3:07", "1:02:03". @param seconds rounded */
export function formatDuration(seconds: number): string {
  const whole = Math.round(seconds);
  const [hours, minutes] = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60];
  const rest = String(whole % 60).padStart(2, "0");
  return hours > 0 ? `${hours}:${String(minutes).padStart(2, "0")}:${rest}` : `${minutes}:${rest}`;
}

/** How a picture was taken: "1/250 s · f/2.8 · ISO 100 · 50 mm". */
export function formatExposure(
  { exposure, aperture, iso, focalLength }: MediaInfo,
  language: string,
): string {
  const number = new Intl.NumberFormat(language, { maximumFractionDigits: 1, useGrouping: false });
  return [
    exposure && `${exposure} s`,
    aperture && `f/${number.format(aperture)}`,
    iso && `ISO ${number.format(iso)}`,
    focalLength && `${number.format(focalLength)} mm`,
  ].filter(Boolean).join(" · ");
}

/** A place in degrees: "52.52000, 13.40500"; null when it is not known. */
export function placeOf({ latitude, longitude }: MediaInfo): { text: string; link: string } | null {
  if (latitude === undefined || longitude === undefined) return null;
  const [north, east] = [latitude.toFixed(5), longitude.toFixed(5)];
  return {
    text: `${north}, ${east}`,
    link: `https://www.openstreetmap.org/?mlat=${north}&mlon=${east}#map=15/${north}/${east}`,
  };
}

/** When a picture was taken, by the clock of its camera; in the viewer's zone where it is UTC. */
export function formatTaken({ taken, takenZone }: MediaInfo, language: string): string {
  if (!taken) return "";
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: takenZone === "Z" ? undefined : "UTC",
  });
  const time = new Date(`${taken}Z`);
  return Number.isNaN(time.getTime()) ? "" : format.format(time);
}
