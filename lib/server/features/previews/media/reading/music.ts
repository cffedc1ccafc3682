import { type IAudioMetadata, parseFromTokenizer, selectCover } from "music-metadata";
import { AbstractTokenizer, type IReadChunkOptions, type ITokenizer } from "strtok3";
import type { MediaInfo } from "../../../../../shared/schemas/media.ts";
import { NoPreview } from "../../images/no_preview.ts";
import type { ByteSource } from "./byte_source.ts";
import { shownText } from "./shown_text.ts";

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
  const { common, format } = await parse(source, mimeType, true);
  const video = format.trackInfo.find((track) => track.video)?.video;
  const isNamed = common.track.no !== null && common.track.no > 0;
  return {
    width: count(video?.displayWidth ?? video?.pixelWidth),
    height: count(video?.displayHeight ?? video?.pixelHeight),
    duration: Number.isFinite(format.duration) ? format.duration : undefined,
    title: shownText(common.title),
    artist: shownText(common.artist ?? common.albumartist),
    album: shownText(common.album),
    track: isNamed ? count(common.track.no ?? undefined) : undefined,
    year: count(common.year),
    codec: shownText(format.codec ?? format.container),
  };
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
