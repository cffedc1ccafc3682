/** Small pictures of films, for the seek bar of the player, by ffmpeg. */
import { createHash } from "node:crypto";
import { join } from "node:path";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { seekStep } from "../../../shared/schemas/stream.ts";
import { Concurrency, FairQueue } from "../../core/concurrency/fair_queue.ts";
import { SingleFlight } from "../../core/concurrency/single_flight.ts";
import { CacheFolder } from "../previews/cache_folder.ts";
import { hasAtMostGrown } from "../previews/images/preview_key.ts";
import type { Programs } from "../previews/media/programs/programs.ts";
import { changed } from "./refusals.ts";
import type { Film } from "./stream_choice.ts";

/** Dependencies of {@linkcode SeekPictures}. */
export interface SeekPicturesOptions {
  programs: Programs;
  /** The cache folder. */
  cacheDir: string;
}

/** Size of the cache, in bytes. */
const maxCacheBytes = 256 * 2 ** 20;
/** Pictures that are made at a time; posters and thumbnails have the rest of the programs' turns. */
const maxMade = 1;
/** Most requests of one user that wait for their turn. */
const maxWaiting = 8;

/** Makes pictures of places in films, each when it is first asked for. */
export class SeekPictures {
  readonly #programs: Programs;
  readonly #cache: CacheFolder;
  readonly #flights = new SingleFlight<Uint8Array<ArrayBuffer>>();
  readonly #queue = new FairQueue({
    capacity: new Concurrency(maxMade),
    waiting: {
      max: maxWaiting,
      refuse: () => new DomainError("throttled", "Cannot make the picture: too many wait already"),
    },
  });

  constructor({ programs, cacheDir }: SeekPicturesOptions) {
    this.#programs = programs;
    this.#cache = new CacheFolder(join(cacheDir, "seek"), maxCacheBytes);
  }

  /**
   * Returns the picture of a place, as JPEG. Places are rounded down, see {@linkcode seekStep}, so
   * that there are at most some hundred pictures of a film.
   *
   * @param seconds the place
   * @param options.owner key of the user, whose pictures are made one after the other
   * @throws DomainError `not_supported` for music, for an unknown duration, and for what ffmpeg
   * cannot decode; `throttled`; `busy` when the file changes, `not_found` once it is gone; the signal's reason
   */
  async picture(
    film: Film,
    seconds: number,
    { owner, signal }: { owner: string; signal: AbortSignal },
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { info, path } = film;
    if (!info.video || info.duration === 0) throw refusal(path, "it has no pictures in time");
    const step = seekStep(info.duration);
    const last = Math.floor(Math.max(0, info.duration - 0.5) / step);
    const start = Math.min(last, Math.floor(seconds / step)) * step;
    const key = createHash("sha256").update(JSON.stringify([film.key, "seek", start]))
      .digest("hex");
    const kept = await this.#cache.read(key);
    if (kept) return kept;
    const make = async (abandoned: AbortSignal) => {
      const bytes = await this.#queue.run(
        owner,
        1,
        () => this.#make(film, start, abandoned),
        abandoned,
      );
      await this.#cache.write(key, bytes).catch(() => {});
      await this.#cache.sweep();
      return bytes;
    };
    return await this.#flights.join(key, make, signal);
  }

  async #make(
    film: Film,
    start: number,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const { handle, path, state } = film;
    using file = handle.openSync();
    const check = () => {
      if (hasAtMostGrown(file.facts(), state)) return;
      throw changed(film, `Cannot make a picture of "${path}"`);
    };
    check();
    const { output } = await this.#programs.run("seekPicture", file, signal, undefined, { start });
    check();
    if (output.length === 0) throw refusal(path, "FFmpeg cannot decode it");
    return output;
  }
}

function refusal(path: EntryPath, reason: string): DomainError {
  return new DomainError("not_supported", `Cannot make a picture of "${path}": ${reason}`);
}
