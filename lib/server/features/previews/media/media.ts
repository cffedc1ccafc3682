import type { Access } from "../../../core/access/access.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { type EntryPath, nameOf } from "../../../../shared/path.ts";
import type { ThumbKind } from "../../../../shared/schemas/choices/choices.ts";
import type { MediaInfo } from "../../../../shared/schemas/media.ts";
import { readStart } from "../../../files/content/file_reading.ts";
import { mayBeRecording, sniffLength } from "../../../files/content/types.ts";
import { SingleFlight } from "../../../core/concurrency/single_flight.ts";
import type { OpenFile } from "../../../core/disk/disk.ts";
import type { FileHandle } from "../../../core/access/file_handle.ts";
import { realParent } from "../../../core/disk/real_path.ts";
import { NoPreview, unreadable } from "../images/no_preview.ts";
import type { PictureFinder, PictureRequest } from "../images/picture_finder.ts";
import { isSameState, stateOf } from "../images/preview_key.ts";
import {
  conversionOf,
  kindOfMethod,
  methodOf,
  type PreviewMethod,
} from "../images/preview_method.ts";
import { SourceChanged } from "../images/preview_source.ts";
import { type FolderFacts, KeptFacts } from "./kept_facts.ts";
import { MediaWorker } from "./media_worker.ts";
import { Programs } from "./programs/programs.ts";
import type { RecipeName } from "./programs/recipes.ts";
import { pdfFactsOf, videoFactsOf } from "./reading/program_facts.ts";

/** Dependencies of {@linkcode Media}. */
export interface MediaOptions {
  programs: Programs;
  /** The cache folder. */
  cacheDir: string;
  /** Logs a sentence. */
  note(sentence: string): void;
}

/** Maximum attempts for a file that changes. */
const maxAttempts = 4;

/** Minimum time between two writes of a folder's facts, in milliseconds. */
const saveMs = 5_000;

/** The program that each method needs; the others are read without one. */
const recipeOf: Partial<Record<PreviewMethod, RecipeName>> = {
  poster: "posterLater",
  page: "firstPage",
  converted: "jxl",
};

/** The program that tells the facts of each method; the others are read without one. */
const factsRecipeOf: Partial<Record<PreviewMethod, RecipeName>> = {
  poster: "videoFacts",
  page: "pdfFacts",
};

/** Looks into videos, PDF, music and pictures, by programs in a sandbox and in a Worker. */
export class Media implements PictureFinder {
  readonly #programs: Programs;
  readonly #worker: MediaWorker;
  readonly #note: (sentence: string) => void;
  readonly #kept: KeptFacts;
  #saved = 0;
  readonly #flights = new SingleFlight<MediaInfo>();

  constructor({ programs, cacheDir, note }: MediaOptions) {
    this.#kept = new KeptFacts(cacheDir);
    this.#programs = programs;
    this.#note = note;
    this.#worker = new MediaWorker(note);
  }

  /** The kinds of files that thumbnails can be made of, as far as is known now. */
  get kinds(): ThumbKind[] {
    const methods = (["picture", "poster", "cover", "page"] as const)
      .filter((method) => method === "picture" || this.can(method));
    return [...methods.map(kindOfMethod), "folder"];
  }

  can(method: PreviewMethod): boolean {
    const recipe = recipeOf[method];
    return recipe === undefined || this.#programs.can(recipe);
  }

  async find(request: PictureRequest, signal: AbortSignal): Promise<Uint8Array<ArrayBuffer>> {
    const { method, access, path, file } = request;
    switch (method) {
      case "poster": {
        const later = await this.#run("posterLater", file, signal) ?? nothing();
        // A short video has ended by then.
        return later.length > 0 ? later : await this.#made("posterAtStart", file, signal);
      }
      case "page":
        return await this.#made("firstPage", file, signal);
      case "converted": {
        const first = new Uint8Array(sniffLength);
        const conversion = conversionOf(nameOf(path), first.subarray(0, file.read(first, 0)));
        return await this.#made(conversion ?? nothing(), file, signal);
      }
      default:
        return await this.#worker.picture(
          { access, path, state: stateOf(file.facts()) },
          signal,
        );
    }
  }

  /** The facts that are known of the files in a folder. @param folder its real path */
  known(folder: string): Promise<FolderFacts> {
    return this.#kept.of(folder);
  }

  /** Keeps the facts of the files in a folder after a restart, too. @param folder its real path */
  save(folder: string): Promise<void> {
    this.#saved = Date.now();
    return this.#kept.save(folder);
  }

  /**
   * The facts that a file tells. They are kept for its state.
   *
   * @param folder the real path of the folder that they are kept with, where that is not the file's
   * own: the folder of a link
   *
   * @throws DomainError `forbidden` without the permission to download, `not_found`, `is_folder`,
   * `not_a_file`; `not_supported` for types that tell nothing; the signal's reason
   */
  async info(
    access: Access,
    path: EntryPath,
    signal: AbortSignal,
    folder?: string,
  ): Promise<MediaInfo> {
    for (let tries = 1;; tries++) {
      try {
        return await this.#info(access, path, signal, folder);
      } catch (error) {
        if (!(error instanceof SourceChanged)) throw error;
        if (tries < maxAttempts) continue;
        throw new DomainError(
          "forbidden",
          `Cannot read the metadata of "${path}": access is denied`,
        );
      }
    }
  }

  /** Ends the Worker, and kills programs. */
  async close(): Promise<void> {
    this.#worker.close();
    await this.#programs.close();
  }

  async #info(
    access: Access,
    path: EntryPath,
    signal: AbortSignal,
    within?: string,
  ): Promise<MediaInfo> {
    const handle = access.read(path);
    const isUnclear = mayBeRecording(handle.name, handle.info.size);
    const method = methodOf(handle.name, isUnclear ? readStart(access, path) : undefined);
    if (method === null) {
      throw new DomainError(
        "not_supported",
        `Cannot read the metadata of "${path}": it is not a picture, ` +
          "video, music or PDF",
      );
    }
    const { name, info: state } = handle;
    const folder = within ?? realParent(handle.real);
    const known = await this.#kept.of(folder);
    // By the name as well: it tells how a file is read.
    const kept = known.find(name, state);
    if (kept) return kept;
    const read = async (abandoned: AbortSignal) => {
      const { info, isSure } = await this.#read(access, handle, method, abandoned);
      known.keep(name, state, info, isSure);
      return info;
    };
    const key = JSON.stringify([method, folder, name, ...stateOf(state)]);
    const info = await this.#flights.join(key, read, signal);
    if (within === undefined && Date.now() - this.#saved > saveMs) await this.save(folder);
    return info;
  }

  async #read(
    access: Access,
    handle: FileHandle,
    method: PreviewMethod,
    signal: AbortSignal,
  ): Promise<{ info: MediaInfo; isSure: boolean }> {
    const isPicture = kindOfMethod(method) === "image";
    const recipe = factsRecipeOf[method];
    try {
      if (method === "page") {
        const info = await this.#ask("pdfFacts", handle, signal, pdfFactsOf);
        return { info: withoutNothing(info ?? {}), isSure: info !== null };
      }
      const byProgram = method === "poster"
        ? await this.#ask("videoFacts", handle, signal, videoFactsOf)
        : null;
      const file = { access, path: handle.path, state: stateOf(handle.info) };
      const info = byProgram ?? await this.#worker.facts(file, isPicture, signal);
      const isSure = recipe === undefined || byProgram !== null;
      return { info: withoutNothing(info), isSure };
    } catch (error) {
      if (error instanceof NoPreview) return { info: {}, isSure: false };
      throw error;
    }
  }

  async #ask<T>(
    recipe: RecipeName,
    handle: FileHandle,
    signal: AbortSignal,
    read: (text: string) => T,
  ): Promise<T | null> {
    if (!this.#programs.can(recipe)) return null;
    const { info } = handle;
    using file = handle.openSync();
    if (!isSameState(file.facts(), info)) throw new SourceChanged();
    const output = await this.#run(recipe, file, signal);
    return output?.length ? read(new TextDecoder().decode(output)) : null;
  }

  async #made(
    recipe: RecipeName,
    file: OpenFile,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const output = await this.#run(recipe, file, signal);
    return output?.length ? output : nothing();
  }

  /** The output of a program; null when it fails. */
  async #run(
    recipe: RecipeName,
    file: OpenFile,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer> | null> {
    const { end, output } = await this.#programs.run(recipe, file, signal);
    if (end.stopped) throw new NoPreview("it needs too much time or memory");
    if (end.failure !== undefined) {
      this.#note(`Media: a program could not be run: ${end.failure}`);
      throw new NoPreview("no program can read it");
    }
    return end.status === 0 ? output : null;
  }
}

function nothing(): never {
  throw new NoPreview(unreadable);
}

function withoutNothing(info: MediaInfo): MediaInfo {
  return Object.fromEntries(Object.entries(info).filter(([, value]) => value !== undefined));
}
