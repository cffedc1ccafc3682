import * as v from "valibot";
import { maxRatios, NO_RATIO } from "./choices/choices.ts";
import { about, count } from "./parts.ts";

/** The schema of {@linkcode MediaInfo}. */
export const mediaInfoSchema = about(
  "Embedded metadata of a file. Members that the file does not have are left out.",
  v.object({
    width: v.optional(about("In pixels, as it is shown: turned upright.", count)),
    height: v.optional(about("In pixels, as it is shown: turned upright.", count)),
    duration: v.optional(about("In seconds.", v.number())),
    pages: v.optional(count),
    taken: v.optional(about(
      "When it was taken, by the clock of the camera: ISO 8601 without a time zone.",
      v.pipe(v.string(), v.regex(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/)),
    )),
    takenZone: v.optional(about(
      "The offset of that clock from UTC, such as `+02:00`; `Z` where the file tells the time in UTC.",
      v.pipe(v.string(), v.regex(/^(?:Z|[+-]\d\d:\d\d)$/)),
    )),
    camera: v.optional(v.string()),
    lens: v.optional(v.string()),
    exposure: v.optional(about("In seconds: `1/250` or `2.5`.", v.string())),
    aperture: v.optional(about("The f-number.", v.number())),
    iso: v.optional(v.number()),
    focalLength: v.optional(about("In millimetres.", v.number())),
    latitude: v.optional(about("In degrees; south is negative.", v.number())),
    longitude: v.optional(about("In degrees; west is negative.", v.number())),
    title: v.optional(v.string()),
    artist: v.optional(v.string()),
    album: v.optional(v.string()),
    track: v.optional(count),
    year: v.optional(count),
    codec: v.optional(v.string()),
    replayGain: v.optional(about(
      "How loud the tags of music (ReplayGain) want it: in decibels to be added to the track, or to " +
        "all of its album, and the highest sample of each, 1 for full scale.",
      v.object({
        track: v.optional(v.number()),
        trackPeak: v.optional(v.number()),
        album: v.optional(v.number()),
        albumPeak: v.optional(v.number()),
      }),
    )),
  }),
);

/** How loud music is to be played, by its tags. */
export type ReplayGain = NonNullable<MediaInfo["replayGain"]>;

/** Facts that a file itself tells: of pictures, videos, music and PDF. */
export type MediaInfo = v.InferOutput<typeof mediaInfoSchema>;

/** The schema of {@linkcode Ratios}. */
export const ratiosSchema = about(
  "The shapes of the pictures and videos of a folder.",
  v.object({
    ratios: about(
      `For each entry of the folder, in the order of its listing, up to ${maxRatios}: the width of ` +
        `a picture or video in percent of its height; ${NO_RATIO} for others and where it is not ` +
        "known; 0 for files that are not read yet.",
      v.array(count),
    ),
    unread: about("Files that are not read yet: ask again.", count),
  }),
);

/** The shapes of a folder's pictures, by their places in the listing. */
export type Ratios = v.InferOutput<typeof ratiosSchema>;

/** The schema of {@linkcode ThumbHashes}. */
export const thumbHashesSchema = about(
  "The hashes of thumbnails that the server has; others are left out.",
  v.object({
    hashes: v.record(v.string(), about("A ThumbHash in base64.", v.string())),
  }),
);

/** Blurred placeholders of thumbnails, by the paths that were asked for. */
export type ThumbHashes = v.InferOutput<typeof thumbHashesSchema>;
