import { closeSync, constants, fstatSync, openSync, type Stats } from "node:fs";
import { DomainError } from "../../errors.ts";
import { saysMissing } from "../../access/os_errors.ts";
import { realChild } from "../../access/real_path.ts";
import type { PatientSteps } from "../../walk/slices.ts";
import type { Carried } from "./carried.ts";
import { copyContent } from "./copy_content.ts";
import { makeSureGone } from "./gone.ts";
import type { VerifiedFolder } from "./staging.ts";
import type { SurveyedFile } from "./survey.ts";
import { takenOf } from "./taken.ts";
import { giveTraits } from "./traits.ts";

/** How files are copied. */
export interface CopyOrder {
  action: string;
  /**
   * The originals will be deleted: each copy must be safe on the disk before, and a file that
   * changes while it is read is read again.
   */
  isMove: boolean;
}

/** How often a file is read that changes meanwhile. */
const mostReadings = 3;

const readFlags = constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0) | (constants.O_NONBLOCK ?? 0);

/** A file and its copy, both open. */
export class FileCopy {
  readonly #info: Deno.FileInfo;
  #isFinished = false;

  private constructor(
    readonly file: SurveyedFile,
    readonly order: CopyOrder,
    readonly to: VerifiedFolder,
    readonly source: number,
    readonly before: Stats,
    readonly target: Deno.FsFile,
  ) {
    this.#info = target.statSync();
  }

  /** Null when the file is gone. */
  static open(
    from: VerifiedFolder,
    to: VerifiedFolder,
    file: SurveyedFile,
    order: CopyOrder,
  ): FileCopy | null {
    const source = openSource(from, file.name);
    if (source === null) {
      makeSureGone(from, file.name, order.action);
      return null;
    }
    try {
      const before = fstatSync(source);
      if (!before.isFile()) {
        throw new DomainError("not_a_file", `${order.action}: "${file.name}" is no regular file`);
      }
      // Never set-uid or set-gid: the owner may be another now.
      const options = { write: true, createNew: true, mode: before.mode & 0o777 };
      const target = Deno.openSync(realChild(to.real, file.name), options);
      return new FileCopy(file, order, to, source, before, target);
    } catch (error) {
      closeSync(source);
      throw error;
    }
  }

  /** What the original and the copy are, to prove where they lie. */
  get carried(): Carried {
    return { name: this.file.name, from: this.before, to: this.#info };
  }

  /** Copies the content, then the owner as far as the system allows, permissions and times. */
  *fill(): PatientSteps<void> {
    const { file, order, source, target } = this;
    let before = this.before;
    for (let reading = 1;; reading++) {
      yield* copyContent(source, target, before);
      if (!order.isMove) break;
      const after = fstatSync(source);
      if (isStill(before, after)) break;
      if (reading === mostReadings) {
        const text = `${order.action}: "${file.name}" keeps changing`;
        throw new DomainError("precondition_failed", text);
      }
      target.truncateSync(0);
      target.seekSync(0, Deno.SeekMode.Start);
      before = after;
    }
    giveTraits(target, realChild(this.to.real, file.name), this.#info, before);
    file.taken = takenOf(before);
  }

  /** Waits until the copy is safe on the disk. */
  async sync(): Promise<void> {
    await this.target.sync();
  }

  /** Closes the copy. */
  finish(): void {
    this.#isFinished = true;
    this.target.close();
  }

  /** Closes what is still open. */
  release(): void {
    closeSync(this.source);
    if (!this.#isFinished) this.target.close();
  }
}

function openSource(from: VerifiedFolder, name: string): number | null {
  try {
    return openSync(realChild(from.real, name), readFlags);
  } catch (error) {
    if (saysMissing(error)) return null;
    throw error;
  }
}

function isStill(before: Stats, after: Stats): boolean {
  return before.size === after.size && before.mtimeMs === after.mtimeMs &&
    before.ctimeMs === after.ctimeMs;
}
