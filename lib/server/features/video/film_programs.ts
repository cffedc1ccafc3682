import type { OpenFile } from "../../core/disk/disk.ts";
import { isSameState } from "../previews/images/preview_key.ts";
import type { Programs } from "../previews/media/programs/programs.ts";
import type { RecipeName, RecipeNumbers } from "../previews/media/programs/recipes.ts";
import { changed, reasons, refusal, unrunnable } from "./refusals.ts";
import type { Film } from "./stream_choice.ts";

/** A file that a program is to read: it is refused once it is another one. */
export type ReadFilm = Pick<Film, "handle" | "path" | "state">;

/** How a film is handed to a program. */
export interface FilmRun {
  signal: AbortSignal;
  numbers?: RecipeNumbers;
  /** Receives output; until its promise settles, the program waits. */
  receive(bytes: Uint8Array): void | Promise<void>;
}

/** Runs programs on films, as long as these do not change. */
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
   * Runs a program, and hands on its output as it comes.
   *
   * @returns its status, and whether it was stopped for what it took
   * @throws DomainError `busy` for a file that changes, `internal` where the program cannot be run;
   * what `receive` throws; the signal's reason
   */
  async stream(
    recipe: RecipeName,
    film: ReadFilm,
    { signal, numbers, receive }: FilmRun,
  ): Promise<{ status: number; isStopped: boolean }> {
    using file = film.handle.openSync();
    checkUnchanged(film, file);
    const { failure, status, stopped } = await this.#programs.stream(recipe, file, {
      ...{ signal, numbers },
      async receive(bytes) {
        checkUnchanged(film, file);
        await receive(bytes);
      },
    });
    checkUnchanged(film, file);
    if (failure !== undefined) {
      this.#note(`Media: a program could not be run: ${failure}`);
      throw unrunnable(film.path);
    }
    return { status, isStopped: stopped !== undefined };
  }

  /**
   * All the output of a program.
   *
   * @throws DomainError `not_supported` when it takes too much; as {@linkcode stream}
   */
  async read(
    recipe: RecipeName,
    film: ReadFilm,
    numbers: RecipeNumbers,
    signal: AbortSignal,
  ): Promise<Uint8Array<ArrayBuffer>> {
    const parts: Uint8Array<ArrayBuffer>[] = [];
    const receive = (bytes: Uint8Array) => void parts.push(new Uint8Array(bytes));
    const { isStopped } = await this.stream(recipe, film, { signal, numbers, receive });
    if (isStopped) throw refusal(film.path, reasons.slow);
    return await new Blob(parts).bytes();
  }
}

/** @throws DomainError `busy` */
function checkUnchanged({ path, state }: ReadFilm, file: OpenFile): void {
  if (!isSameState(file.facts(), state)) throw changed(path);
}
