import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../access/path.ts";
import { realChild, realName, realParent, type RealPath } from "../../access/real_path.ts";
import type { SourceHandle } from "../../access/source_handle.ts";
import { runInSlices } from "../../walk/slices.ts";
import { collectGarbage } from "../collect_garbage.ts";
import { admit } from "./admit.ts";
import { buildFolder, type BuiltFolder, carryFiles } from "./build.ts";
import { actionOf, type TransferRequest } from "./request.ts";
import { Staging, type VerifiedFolder } from "./staging.ts";
import { countFiles, survey, type SurveyedFile, type SurveyedFolder } from "./survey.ts";

/** A finished copy out of sight. */
export interface BuiltCopy {
  /** Where it lies, until it takes its name. */
  real: RealPath;
  /** Of a folder: what it holds. */
  folder: BuiltFolder | null;
  /** Of a file: what was copied. */
  file: SurveyedFile | null;
}

/**
 * What is on its way: looked through, judged and copied once, whatever name it will take. What is
 * left of the copy goes with it.
 */
export class Cargo implements AsyncDisposable {
  readonly source: SourceHandle;
  readonly action: string;
  #tree: SurveyedFolder | null = null;
  #isOpened = false;
  #staging: Staging | null = null;
  #copy: BuiltCopy | null = null;

  constructor(
    readonly access: Access,
    readonly request: TransferRequest,
    readonly signal: AbortSignal,
  ) {
    const { action, from } = request;
    this.source = action === "copy" ? access.copy(from) : access.rename(from);
    this.action = actionOf(request);
  }

  /**
   * Looks through all that is below the entry.
   *
   * @param isOpened whether files will be opened, and not only renamed with their folder
   * @throws {DomainError} `forbidden`, `not_a_file`, `invalid_name`
   */
  async lookThrough(isOpened: boolean): Promise<void> {
    const { source, action, signal } = this;
    if (!source.isFolder || (this.#tree && (this.#isOpened || !isOpened))) return;
    this.#tree = await runInSlices(survey(source.folder(), isOpened, action), signal);
    collectGarbage(countFiles(this.#tree));
    this.#isOpened = isOpened;
  }

  /**
   * Judges whether it all may lie at a path.
   *
   * @throws {DomainError} `forbidden`, `exists`
   */
  async judgeAt(path: EntryPath): Promise<void> {
    const { source, action, signal } = this;
    const arrival = this.access.arrival(path, action);
    if (source.info.isSymlink) arrival.admitAsLink(Deno.readLinkSync(source.real));
    if (source.isFolder) await runInSlices(admit(this.tree, arrival, action), signal);
  }

  /** What was looked through, of a folder. */
  get tree(): SurveyedFolder {
    if (!this.#tree) throw new Error("Cannot copy a folder before it was looked through");
    return this.#tree;
  }

  /**
   * Makes the copy out of sight, or gives the one that was made for another name.
   *
   * @param place a folder on the disk on which the copy is to lie
   * @param replaces whether the copy of a file takes the place of another
   */
  async copyTo(place: VerifiedFolder, replaces: boolean): Promise<BuiltCopy> {
    if (this.#copy) return this.#copy;
    this.#staging = new Staging(place);
    return this.#copy = await this.#build(this.#staging.folder, replaces);
  }

  /** Removes what is left of the copy. */
  async [Symbol.asyncDispose](): Promise<void> {
    await this.#staging?.[Symbol.asyncDispose]();
  }

  async #build(folder: VerifiedFolder, replaces: boolean): Promise<BuiltCopy> {
    const { source, action, signal } = this;
    const order = { action, isMove: this.request.action === "move" };
    const name = realName(source.real);
    const real = realChild(folder.real, name);
    if (source.isFolder) {
      const built = await runInSlices(buildFolder(this.tree, folder, order), signal);
      return { real, folder: built, file: null };
    }
    const from = { real: realParent(source.real), verify: () => source.verify() };
    const file: SurveyedFile = { name, replaces, taken: null };
    const single = source.info.isSymlink
      ? {
        folder: from,
        files: [],
        links: [{ name, text: Deno.readLinkSync(source.real), isThere: false }],
      }
      : { folder: from, files: [file], links: [] };
    await runInSlices(carryFiles(single, folder, order), signal);
    return { real, folder: null, file: source.info.isSymlink ? null : file };
  }
}
