import type { MediaInfo } from "../../../shared/api_types.ts";
import { formatNumber } from "../../base/core/format.ts";

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

/** When a picture was taken, by the clock of its camera. */
export function formatTaken(taken: string, language: string): string {
  const format = new Intl.DateTimeFormat(language, {
    dateStyle: "medium",
    timeStyle: "short",
    timeZone: "UTC",
  });
  const time = new Date(`${taken}Z`);
  return Number.isNaN(time.getTime()) ? "" : format.format(time);
}
