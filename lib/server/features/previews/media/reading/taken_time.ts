import type { MediaInfo } from "../../../../../shared/schemas/media.ts";

/** When a picture or video was taken, and the zone of that clock where it is known. */
type TakenTime = Pick<MediaInfo, "taken" | "takenZone">;

/** The year of the first photograph: earlier times are of clocks that were never set. */
const firstYear = 1_826;

/**
 * Reads a time as EXIF, XMP and QuickTime write it: `2024:05:06 07:08:09`,
 * `2024-05-06T07:08:09.12+0200`, `2024-05-06`. A clock that was never set tells none.
 *
 * @param zone of a time without one, as EXIF tells it apart
 */
export function readTakenTime(text: string | undefined, zone?: string): TakenTime {
  const parts = pattern.exec(text ?? "");
  if (!parts) return {};
  const [, year = "", month, day, hour = "00", minute = "00", second = "00", own] = parts;
  const taken = `${year}-${month}-${day}T${hour}:${minute}:${second}`;
  const time = new Date(`${taken}Z`);
  // A date such as 31 February is another day, or none.
  if (Number.isNaN(time.getTime()) || time.toISOString().slice(0, 19) !== taken) return {};
  if (Number(year) < firstYear) return {};
  const takenZone = zoneOf(own ?? zone);
  return takenZone ? { taken, takenZone } : { taken };
}

const pattern = new RegExp(
  /^\s*(\d{4})[:-](\d\d)[:-](\d\d)/.source +
    /(?:[T ](\d\d):(\d\d)(?::(\d\d)(?:\.\d+)?)?\s*(Z|[+-]\d\d:?\d\d)?)?/.source,
);

function zoneOf(text: string | undefined): string | undefined {
  if (text === "Z") return text;
  const parts = /^\s*([+-])(\d\d):?(\d\d)/.exec(text ?? "");
  if (!parts || Number(parts[2]) > 14 || Number(parts[3]) > 59) return undefined;
  return `${parts[1]}${parts[2]}:${parts[3]}`;
}

/** Where XMP data are looked for, in bytes. */
const xmpBytes = 2 * 2 ** 20;

/** The members of XMP that tell when a picture was taken, the best first. */
const members = ["exif:DateTimeOriginal", "photoshop:DateCreated", "xmp:CreateDate"];

/** When a picture was taken by its XMP data, which are XML somewhere in the file. */
export function takenTimeOfXmp(bytes: Uint8Array): TakenTime {
  const text = new TextDecoder("latin1").decode(bytes.subarray(0, xmpBytes));
  const start = text.indexOf("<x:xmpmeta");
  if (start < 0) return {};
  const packet = text.slice(start, text.indexOf("</x:xmpmeta>", start) >>> 0);
  for (const member of members) {
    const at = packet.indexOf(member);
    const value = at < 0 ? null : /^\s*(?:=\s*["']|>)([^"'<]{10,40})/.exec(
      packet.slice(at + member.length, at + member.length + 60),
    );
    const time = readTakenTime(value?.[1]);
    if (time.taken) return time;
  }
  return {};
}
