import { type IAudioMetadata, parseFromTokenizer, selectCover } from "music-metadata";
import { AbstractTokenizer, type IReadChunkOptions, type ITokenizer } from "strtok3";
import type { MediaInfo, ReplayGain } from "../../../../../shared/schemas/media.ts";
import { decodeAs, guessEncoding } from "../../../../files/text/code_page.ts";
import { loadDetector } from "../../../../files/text/read_text.ts";
import { NoPreview } from "../../images/no_preview.ts";
import type { ByteSource } from "./byte_source.ts";
import { shownText } from "./shown_text.ts";
import { readTakenTime } from "./taken_time.ts";

/** The largest tag or cover that is read, in bytes. */
const maxTagBytes = 24 * 2 ** 20;

/** Lets the parser of tags read an open file, and nothing else. */
class SourceTokenizer extends AbstractTokenizer {
  override fileInfo: { size: number; mimeType?: string };
  readonly #source: ByteSource;

  constructor(source: ByteSource, mimeType: string) {
    super({ maxBufferSize: maxTagBytes });
    this.#source = source;
    this.fileInfo = { size: source.size, mimeType };
  }

  override supportsRandomAccess(): boolean {
    return true;
  }

  setPosition(position: number): void {
    this.validateLength(position, "position");
    this.position = position;
  }

  override async readBuffer(buffer: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { position, length } = this.normalizeOptions(buffer, options);
    const count = await this.peekBuffer(buffer, { ...options, position, length });
    this.position = position + count;
    return count;
  }

  override peekBuffer(buffer: Uint8Array, options?: IReadChunkOptions): Promise<number> {
    const { position, length, mayBeLess } = this.normalizeOptions(buffer, options);
    const bytes = this.#source.bytes(position, length);
    if (bytes.length < length && !mayBeLess) {
      return Promise.reject(new RangeError("Cannot read: the file ends"));
    }
    buffer.set(bytes);
    return Promise.resolve(bytes.length);
  }
}

/**
 * The cover in the tags of a piece of music.
 *
 * @throws NoPreview
 */
export async function readCover(
  source: ByteSource,
  mimeType: string,
): Promise<Uint8Array<ArrayBuffer>> {
  const { common } = await parse(source, mimeType, false);
  const cover = selectCover(common.picture);
  if (!cover) throw new NoPreview("it has no cover");
  return new Uint8Array(cover.data);
}

/** The tags of a piece of music, or of the container of a video. */
export async function readTags(source: ByteSource, mimeType: string): Promise<MediaInfo> {
  const metadata = await parse(source, mimeType, true);
  const { common, format } = metadata;
  const artist = artistIn(metadata);
  const video = format.trackInfo.find((track) => track.video)?.video;
  const textOf = await mender([common.title, artist, common.album]);
  const isNamed = common.track.no !== null && common.track.no > 0;
  return {
    width: count(video?.displayWidth ?? video?.pixelWidth),
    height: count(video?.displayHeight ?? video?.pixelHeight),
    duration: Number.isFinite(format.duration) ? format.duration : undefined,
    ...(mimeType.startsWith("video/") ? takenIn(format.creationTime) : {}),
    title: shownText(textOf(common.title)),
    artist: shownText(textOf(artist)),
    album: shownText(textOf(common.album)),
    track: isNamed ? count(common.track.no ?? undefined) : undefined,
    year: count(common.year),
    codec: shownText(format.codec ?? format.container),
    ...replayGainIn(common),
  };
}

/**
 * Who plays it, as the tags have it. The parser splits names in ID3 before version 2.4 at slashes,
 * also that of AC/DC, and takes the first of several.
 */
function artistIn({ common, native }: IAudioMetadata): string | undefined {
  const { artist, artists = [], albumartist } = common;
  for (const names of [["TPE1", "TP1"], ["TPE2", "TP2"]]) {
    const split = [native["ID3v2.3"], native["ID3v2.2"]].flatMap((tags = []) => tags)
      .filter(({ id }) => names.includes(id)).map(({ value }) => value);
    if (split.length > 1 && split[0] === (artist ?? albumartist)) return split.join("/");
  }
  return artists.length > 1 && artists[0] === artist ? artists.join(", ") : artist ?? albumartist;
}

/** The most that tags may ask for, in decibels. */
const maxGain = 60;
/** The highest peak that is taken: float samples may be over full scale. */
const maxPeak = 16;

/** How loud the tags want it; without what makes no sense. */
function replayGainIn(common: IAudioMetadata["common"]): Pick<MediaInfo, "replayGain"> {
  const gain = (ratio?: { dB: number }) =>
    ratio && Math.abs(ratio.dB) <= maxGain ? Math.round(ratio.dB * 100) / 100 : undefined;
  const peak = (ratio?: { ratio: number }) =>
    ratio && ratio.ratio > 0 && ratio.ratio <= maxPeak ? ratio.ratio : undefined;
  const found: ReplayGain = {
    track: gain(common.replaygain_track_gain),
    trackPeak: peak(common.replaygain_track_peak),
    album: gain(common.replaygain_album_gain),
    albumPeak: peak(common.replaygain_album_peak),
  };
  const told = Object.entries(found).filter(([, value]) => value !== undefined);
  return told.length === 0 ? {} : { replayGain: Object.fromEntries(told) };
}

/** When a video was taken by its container, which tells it in UTC, and often as 1904 or 1970. */
function takenIn(time: Date | undefined): MediaInfo {
  if (!time || !(time.getTime() > 0) || time.getUTCFullYear() <= 1970) return {};
  return readTakenTime(time.toISOString());
}

/** Three letters with accents in a row: no word in Latin letters has them. */
const foreign = /[\u0080-\u00ff\u0152-\u0178\u2013-\u203a]{3}/;

/** The characters of windows-1252 from 0x80 to 0x9f, which some decoders read as such. */
const windows = new TextDecoder("windows-1252").decode(
  Uint8Array.from({ length: 32 }, (_, index) => 0x80 + index),
);

/**
 * Reads tags again that say to be in Latin-1, but are in the code page of the system that wrote
 * them, as many of Russia and East Asia are. All tags are looked at together.
 */
async function mender(
  texts: readonly (string | undefined)[],
): Promise<(text: string | undefined) => string | undefined> {
  const samples = texts.map((text) => text && foreign.test(text) ? bytesOf(text) : null)
    .filter((bytes) => bytes !== null);
  if (samples.length === 0) return (text) => text;
  const encoding = guessEncoding(samples, await loadDetector(), "windows-1252");
  return (text) => {
    const bytes = text === undefined ? null : bytesOf(text);
    return (bytes && decodeAs(encoding, bytes)) ?? text;
  };
}

/** The bytes of a text that was read as Latin-1; null for another one, and for plain ASCII. */
function bytesOf(text: string): Uint8Array | null {
  const codes = Array.from(text, (character) => {
    const index = windows.indexOf(character);
    return index >= 0 ? 0x80 + index : character.charCodeAt(0);
  });
  const isLatin = codes.every((code) => code <= 0xff) && codes.some((code) => code >= 0x80);
  return isLatin ? Uint8Array.from(codes) : null;
}

async function parse(
  source: ByteSource,
  mimeType: string,
  skipCovers: boolean,
): Promise<IAudioMetadata> {
  const tokenizer: ITokenizer = new SourceTokenizer(source, mimeType);
  try {
    return await parseFromTokenizer(tokenizer, { skipCovers, duration: false });
  } catch {
    throw new NoPreview("its tags cannot be read");
  }
}

function count(value: number | undefined): number | undefined {
  return Number.isSafeInteger(value) && value !== undefined && value > 0 ? value : undefined;
}
