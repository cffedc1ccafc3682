import type { OpenFile } from "../../core/disk/disk.ts";
import { hasAtMostGrown, stateOf } from "../previews/images/preview_key.ts";
import type { Programs } from "../previews/media/programs/programs.ts";
import type { RecipeName, RecipeNumbers } from "../previews/media/programs/recipes.ts";
import type { PlaceRequest, SegmentRequest } from "../previews/media/streams/segments.ts";
import { changed, reasons, refusal, unrunnable } from "./refusals.ts";
import type { Film } from "./stream_choice.ts";

/** A file that a program is to read: it is refused once it is another one. */
export type ReadFilm = Pick<Film, "handle" | "path" | "state">;

/** Runs programs on films, as long as these do not change but for growing. */
export class FilmPrograms {
  readonly #programs: Programs;
  readonly #note: (sentence: string) => void;

  /** @param note logs a sentence */
  constructor(programs: Programs, note: (sentence: string) => void) {
    this.#programs = programs;
    this.#note = note;
  }

  /** Whether there is a program for something, as far as is known. */
  can(recipe: RecipeName): boolean {
    return this.#programs.can(recipe);
  }

  /**
   * All the output of a program.
   *
   * @throws DomainError `busy` for a file that changes, `not_found` for one that is gone,
   * `not_supported` for one that takes too much, `internal` where the program cannot be run; the
   * signal's reason
   */
  async read(
    recipe: RecipeName,
    film: ReadFilm,
    numbers: RecipeNumbers,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    using file = open(film);
    const { end, output } = await this.#programs.run(recipe, file, signal, undefined, numbers);
    checkUnchanged(film, file);
    if (end.stopped) throw refusal(film.path, reasons.slow);
    if (end.failure !== undefined) throw this.unrunnable(film, end.failure);
    return output;
  }

  /**
   * A segment of a stream.
   *
   * @throws Stopped; DomainError `busy` for a file that changes, `not_found` for one that is gone;
   * the signal's reason
   */
  async segment(
    recipe: RecipeName,
    film: ReadFilm,
    numbers: RecipeNumbers,
    segment: SegmentRequest,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    using file = open(film);
    const run = { recipe, file, segment, numbers, state: stateOf(film.state) };
    const bytes = await this.#programs.segment(run, signal, this.#note);
    checkUnchanged(film, file);
    return bytes;
  }

  /** How many turns come until a stream is converted; 0 where it does not wait. */
  async placeOf(place: PlaceRequest, signal: AbortSignal): Promise<number> {
    return await this.#programs.placeOf(place, signal);
  }

  /** Logs why a program could not be run, and returns the error for the client. */
  unrunnable({ path }: ReadFilm, failure = "unknown"): Error {
    this.#note(`Media: a program could not be run: ${failure}`);
    return unrunnable(path);
  }
}

/** @throws DomainError `busy`, `not_found` */
function open(film: ReadFilm): OpenFile {
  const file = film.handle.openSync();
  try {
    checkUnchanged(film, file);
    return file;
  } catch (error) {
    file[Symbol.dispose]();
    throw error;
  }
}

/** @throws DomainError `busy`; `not_found` once it is gone */
function checkUnchanged(film: ReadFilm, file: OpenFile): void {
  if (!hasAtMostGrown(file.facts(), film.state)) throw changed(film);
}
