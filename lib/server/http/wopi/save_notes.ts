import type { FormerFiles } from "../../files/upload/commit_upload.ts";
import { etagOf } from "../../files/content/open_content.ts";
import type { WopiVisit } from "./wopi_visit.ts";

/** What is noted of a save. Each of the two is a commit of its own. */
export interface Notes {
  /** Notes what the file is about to become, before it takes its name. */
  begin(etag: string, visit: WopiVisit): Promise<void>;
  /** Notes what the file has become. */
  end(etag: string): Promise<void>;
}

/**
 * Makes the notes of a save while the disk works on the save itself: the first one while the former
 * file is kept as a version, whose record is then in the same commit of the store, the second one
 * while the new name is synced. The file takes its name after the first, and the save is
 * acknowledged after the second.
 */
export class SaveNotes {
  readonly #notes: Notes;
  #begun: Promise<void> = Promise.resolve();
  #ended: { etag: string; done: Promise<void> } | null = null;

  /** The former files, for the save. */
  readonly formerFiles: FormerFiles;

  constructor(versions: FormerFiles, notes: Notes) {
    this.#notes = notes;
    this.formerFiles = {
      ...versions,
      keep: async (...of) => {
        const kept = await versions.keep(...of);
        try {
          await this.#begun;
        } catch (error) {
          await kept?.takeBack();
          throw error;
        }
        return kept;
      },
      replaced: async (replacement) => {
        const etag = etagOf(replacement.now);
        this.#ended = { etag, done: quiet(notes.end(etag)) };
        await versions.replaced?.(replacement);
      },
    };
  }

  /**
   * Begins the save, once its body has come.
   *
   * @param isKept whether there is something to keep as a version. If that changes until then, the
   * file is another one than the save may replace.
   */
  async begin(etag: string, visit: WopiVisit, isKept: boolean): Promise<void> {
    this.#begun = quiet(this.#notes.begin(etag, visit));
    if (!isKept) await this.#begun;
  }

  /** Ends the save, of which it is noted what the file has become. */
  async end(etag: string): Promise<void> {
    if (this.#ended?.etag === etag) await this.#ended.done;
    else await this.#notes.end(etag);
  }
}

/** A promise that is awaited later, or not at all where something else has failed. */
function quiet<T>(promise: Promise<T>): Promise<T> {
  promise.catch(() => {});
  return promise;
}
