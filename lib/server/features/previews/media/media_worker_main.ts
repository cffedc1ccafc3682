/** The Worker that reads what is inside of pictures and music, which may be made to be harmful. */
import { asRefusal } from "../../../core/access/os_errors.ts";
import { enterAgain, type SentAccess } from "../../../core/access/gate.ts";
import type { MediaInfo } from "../../../../shared/schemas/media.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { mediaTypeOf } from "../../../files/content/types.ts";
import { serveWorker } from "../../../core/concurrency/serve_worker.ts";
import { NoPreview } from "../images/no_preview.ts";
import { stateOf } from "../images/preview_key.ts";
import { isRaw } from "../images/preview_method.ts";
import { ByteSource } from "./reading/byte_source.ts";
import { findEmbeddedJpeg, readEmbeddedJpeg } from "./reading/embedded_jpeg.ts";
import { readCover, readTags } from "./reading/music.ts";
import { readPictureFacts } from "./reading/picture_facts.ts";

/** A picture that was found, or the reason why there is none. */
export type FoundPicture = { bytes: Uint8Array<ArrayBuffer> } | { refusal: string } | null;

/** A file, in the state that its facts or its picture are kept for. */
export interface MediaTarget {
  access: SentAccess;
  path: EntryPath;
  /** As `stateOf()` tells it. */
  state: (number | null)[];
}

/** The idle time after which the worker ends, in milliseconds. */
const idleMs = 60_000;

const work = {
  /** The JPEG in a RAW file, or the cover of a piece of music; null for a file that changed. */
  async picture(given: MediaTarget): Promise<FoundPicture> {
    try {
      const bytes = await withSource(given, pictureIn);
      return bytes && { bytes };
    } catch (error) {
      if (error instanceof NoPreview) return { refusal: error.reason };
      throw error;
    }
  },

  /**
   * The metadata of a picture, of music or of a video: none for a broken file, null for one
   * that changed.
   */
  async facts(given: MediaTarget & { isPicture: boolean }): Promise<MediaInfo | null> {
    const { isPicture } = given;
    try {
      return await withSource(
        given,
        (source, name) =>
          isPicture
            ? Promise.resolve(readPictureFacts(source, name))
            : readTags(source, mediaTypeOf(name)),
      );
    } catch (error) {
      if (error instanceof NoPreview) return {};
      throw error;
    }
  },
};

/** The functions of this worker. */
export type MediaWork = typeof work;

serveWorker(work, {
  idleMs,
  asError: (thrown, _, { path }: MediaTarget) =>
    asRefusal(thrown, `Cannot read the metadata of "${path}"`),
});

async function pictureIn(source: ByteSource, name: string): Promise<Uint8Array<ArrayBuffer>> {
  if (!isRaw(name)) return await readCover(source, mediaTypeOf(name));
  const jpeg = findEmbeddedJpeg(source);
  if (!jpeg) throw new NoPreview("it contains no picture");
  return readEmbeddedJpeg(source, jpeg);
}

async function withSource<T>(
  { access, path, state }: MediaTarget,
  read: (source: ByteSource, name: string) => Promise<T>,
): Promise<T | null> {
  const handle = enterAgain(access).read(path);
  using file = handle.openSync();
  const facts = file.facts();
  const isSame = stateOf(facts).every((part, index) => part === state[index]);
  return isSame ? await read(new ByteSource(file, facts.size), handle.name) : null;
}
