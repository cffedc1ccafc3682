import * as v from "valibot";
import { about, count, flag } from "./parts.ts";

const track = {
  codec: about("The name of the codec as FFmpeg has it, such as `ac3`.", v.string()),
  language: v.optional(about("As the file has it, such as `eng`.", v.string())),
  title: v.optional(v.string()),
  isDefault: v.optional(about("The file names it as the one to use.", flag)),
};

const codecs = v.optional(about(
  "For `codecs` in a media type (RFC 6381), where browsers may decode it.",
  v.string(),
));

/** The schema of {@linkcode StreamInfo}. */
export const streamInfoSchema = about(
  "The tracks of a video or of music, to choose how it is played.",
  v.object({
    container: about("The names of the format as FFmpeg has them.", v.string()),
    duration: about("In seconds; 0 where the file does not tell it.", v.number()),
    video: v.optional(v.object({
      ...{ codec: track.codec, codecs, width: count, height: count },
      copies: about("Whether the server can stream the pictures as they are (`video=copy`).", flag),
    })),
    audio: about(
      "At most 32; `audio` of a playlist is a place in this list.",
      v.array(v.object({ ...track, codecs, channels: v.optional(count) })),
    ),
    subtitles: about(
      "At most 32; `subtitle` is a place in this list. Those without text are pictures.",
      v.array(v.object({ ...track, isText: flag, isForced: v.optional(flag) })),
    ),
    place: v.optional(about(
      "With `video`: the place in the queue of what is asked for as `hls` meanwhile, 1 for the " +
        "next one; 0 where it does not wait.",
      count,
    )),
    quickStarts: v.optional(about(
      "With `starts`: places where a conversion begins soonest, in seconds, as FFmpeg has little " +
        "to decode before; none for music, and for formats without an index.",
      v.array(v.number()),
    )),
  }),
);

/** What is in a video or in music. */
export type StreamInfo = v.InferOutput<typeof streamInfoSchema>;

/**
 * The distance of the pictures on the seek bar of a film, in whole seconds: at most 240 of them.
 *
 * @param duration in seconds
 */
export function seekStep(duration: number): number {
  return Math.max(2, Math.ceil(duration / 240));
}

/** How the pictures of a film may be streamed: as they are, as H.264 of a height, or not at all. */
export const streamPictures = ["copy", "480", "1080", "none"] as const;

/** One of {@linkcode streamPictures}. */
export type StreamPictures = typeof streamPictures[number];
