import type { StreamInfo, StreamPictures } from "../../../../shared/schemas/stream.ts";

/** What the browser decodes, by media types with codecs (RFC 6381). */
export interface Decoder {
  /** From a file. */
  file(type: string): boolean;
  /** From a stream of segments. */
  stream(type: string): boolean;
}

/** The pictures that the user wants: as they are if the browser has the codec, or of a height. */
export type Quality = "original" | "480" | "1080";

/** The height of converted pictures, in lines. */
export type Height = Exclude<Quality, "original">;

/** Why a film is not played as it is. */
export type Reason =
  | { is: "video" | "audio"; codec: string }
  | { is: "container"; name: string }
  /** Another audio track than the browser's, or another quality. */
  | { is: "choice" };

/** A way to play a film: the file itself, or a stream that the server makes of it. */
export type Plan =
  | { is: "file" }
  | { is: "stream"; video: StreamPictures; why: Reason };

/**
 * The ways to play a film, in the order in which they are tried: the file, its pictures in another
 * container with sound that browsers decode, converted pictures.
 */
export function plansFor(
  info: StreamInfo,
  name: string,
  decoder: Decoder,
  { audio, quality, height }: { audio: number; quality: Quality; height: Height },
): Plan[] {
  const { video, audio: tracks } = info;
  const sound = tracks[audio];
  if (!video) {
    const why = reasonOf(info, name, decoder, audio);
    return [...playsFile(info, name, decoder) ? [{ is: "file" } as const] : [], {
      ...{ is: "stream", video: "none", why },
    }];
  }
  const isFirst = audio === 0 || sound === undefined;
  const playsAsIs = isFirst && playsFile(info, name, decoder);
  const mayCopy = video.copies && video.codecs !== undefined &&
    decoder.stream(`video/mp4; codecs="${video.codecs}"`);
  // Films that have to be converted have a quality of their own.
  if (quality !== "original" && (playsAsIs || mayCopy)) {
    return [{ is: "stream", video: quality, why: { is: "choice" } }];
  }
  const isChoice = mayCopy && !isFirst;
  const why: Reason = isChoice ? { is: "choice" } : reasonOf(info, name, decoder, audio);
  return [
    ...playsAsIs ? [{ is: "file" } as const] : [],
    ...mayCopy ? [{ is: "stream", video: "copy", why } as const] : [],
    { is: "stream", video: height, why },
  ];
}

/**
 * The qualities to choose from: none higher than the pictures are, nor those as they are if the
 * browser lacks them.
 */
export function qualitiesFor(info: StreamInfo, name: string, decoder: Decoder): Quality[] {
  const { video } = info;
  if (!video) return [];
  const [first] = plansFor(info, name, decoder, {
    ...{ audio: 0, quality: "original", height: "480" },
  });
  const isKept = first?.is === "file" || (first?.is === "stream" && first.video === "copy");
  return [
    ...isKept ? ["original" as const] : [],
    ...Math.min(video.width, video.height) > 480 ? ["1080" as const] : [],
    "480",
  ];
}

/** Whether the browser plays the file itself, with its first audio track. */
function playsFile(
  { container, video, audio }: StreamInfo,
  name: string,
  decoder: Decoder,
): boolean {
  const parts = [video, audio[0]].filter((part) => part !== undefined);
  const codecs = parts.map((part) => part.codecs);
  if (codecs.includes(undefined)) return false;
  const kind = video ? "video" : "audio";
  return containersOf(container, name)
    .some((type) => decoder.file(`${kind}/${type}; codecs="${codecs.join(",")}"`));
}

/** The media types of a container, by its name at FFmpeg and that of the file. */
function containersOf(container: string, name: string): string[] {
  const has = (part: string) => container.split(",").includes(part);
  if (has("mp4")) return ["mp4"];
  if (has("matroska")) return /\.webm$/i.test(name) ? ["webm"] : ["x-matroska", "matroska"];
  return has("ogg") ? ["ogg"] : [];
}

function reasonOf(info: StreamInfo, name: string, decoder: Decoder, audio: number): Reason {
  const { container, video } = info;
  const sound = info.audio[audio];
  const has = (kind: "video" | "audio", codecs: string | undefined) =>
    codecs !== undefined &&
    ["mp4", "webm", "ogg", "wav"].some((type) =>
      decoder.file(`${kind}/${type}; codecs="${codecs}"`)
    );
  if (video && !has("video", video.codecs)) return { is: "video", codec: codecName(video.codec) };
  if (sound && !has("audio", sound.codecs)) return { is: "audio", codec: codecName(sound.codec) };
  return { is: "container", name: containerName(container, name) };
}

const CODECS: Record<string, string> = {
  ...{ h264: "H.264", hevc: "HEVC", mpeg1video: "MPEG-1", mpeg2video: "MPEG-2", mpeg4: "MPEG-4" },
  ...{ msmpeg4v3: "DivX", wmv1: "WMV", wmv2: "WMV", wmv3: "WMV", vc1: "VC-1", prores: "ProRes" },
  ...{ ac3: "AC-3", eac3: "E-AC-3", dts: "DTS", truehd: "TrueHD", mp1: "MP1", mp2: "MP2" },
  ...{
    wmav1: "WMA",
    wmav2: "WMA",
    wmapro: "WMA",
    theora: "Theora",
    vorbis: "Vorbis",
    opus: "Opus",
  },
};

/** A codec as people write it. */
function codecName(codec: string): string {
  if (Object.hasOwn(CODECS, codec)) return CODECS[codec] ?? codec;
  return codec.startsWith("pcm_") ? "PCM" : codec.toUpperCase();
}

function containerName(container: string, name: string): string {
  if (container.split(",").includes("matroska")) return "Matroska";
  return (/\.([a-z0-9]{1,5})$/i.exec(name)?.[1] ?? container).toUpperCase();
}

/** What this browser decodes. */
export function openDecoder(): Decoder {
  const probe = document.createElement("video");
  const source = mediaSource();
  return {
    file: (type) => probe.canPlayType(type) !== "",
    // Without segments of its own a browser plays streams by itself.
    stream: (type) => source ? source.isTypeSupported(type) : probe.canPlayType(type) !== "",
  };
}

/** What the browser plays segments by; undefined where it has its own player of streams alone. */
export function mediaSource(): typeof MediaSource | undefined {
  const { ManagedMediaSource } = globalThis as { ManagedMediaSource?: typeof MediaSource };
  return ManagedMediaSource ?? globalThis.MediaSource;
}
