import {
  closeSync,
  constants,
  fchmodSync,
  fchownSync,
  fstatSync,
  fsync,
  ftruncateSync,
  futimesSync,
  openSync,
  type Stats,
} from "node:fs";
import { promisify } from "node:util";
import { DomainError } from "../../errors.ts";
import { saysMissing } from "../../access/os_errors.ts";
import { realChild } from "../../access/real_path.ts";
import type { PatientSteps } from "../../walk/slices.ts";
import type { Carried } from "./carried.ts";
import { copyContent } from "./copy_content.ts";
import type { VerifiedFolder } from "./staging.ts";
import type { SurveyedFile } from "./survey.ts";
import { takenOf } from "./taken.ts";

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
const syncLater = promisify(fsync);

/** A file and its copy, both open. */
export class FileCopy {
  #target: number | null;

  private constructor(
    readonly file: SurveyedFile,
    readonly order: CopyOrder,
    readonly source: number,
    readonly before: Stats,
    target: number,
  ) {
    this.#target = target;
  }

  /** Null when the file is gone. */
  static open(
    from: VerifiedFolder,
    to: VerifiedFolder,
    file: SurveyedFile,
    order: CopyOrder,
  ): FileCopy | null {
    const source = openSource(from, file.name);
    if (source === null) return null;
    try {
      const before = fstatSync(source);
      if (!before.isFile()) {
        throw new DomainError("not_a_file", `${order.action}: "${file.name}" is no regular file`);
      }
      const target = openSync(realChild(to.real, file.name), "wx", 0o600);
      return new FileCopy(file, order, source, before, target);
    } catch (error) {
      closeSync(source);
      throw error;
    }
  }

  /** What the copy and the original are, to prove where they lie. */
  get carried(): Carried {
    return { name: this.file.name, from: this.before, to: fstatSync(this.#open) };
  }

  /** Copies the content, then the owner as far as the system allows, permissions and times. */
  *fill(): PatientSteps<void> {
    let before = this.before;
    for (let reading = 1;; reading++) {
      yield* copyContent(this.source, this.#open, before);
      const after = fstatSync(this.source);
      if (!this.order.isMove || isStill(before, after)) break;
      if (reading === mostReadings) {
        const text = `${this.order.action}: "${this.file.name}" keeps changing`;
        throw new DomainError("precondition_failed", text);
      }
      ftruncateSync(this.#open, 0);
      before = after;
    }
    this.#takeTraitsOf(before);
    this.file.taken = takenOf(before);
  }

  /** Waits until the copy is safe on the disk. */
  async sync(): Promise<void> {
    await syncLater(this.#open);
  }

  /** Closes the copy: some file systems say only now that bytes did not fit. */
  finish(): void {
    const target = this.#open;
    this.#target = null;
    closeSync(target);
  }

  /** Closes what is still open. */
  release(): void {
    closeSync(this.source);
    if (this.#target !== null) closeSync(this.#target);
  }

  get #open(): number {
    if (this.#target === null) throw new Error("Cannot use a copy that is closed");
    return this.#target;
  }

  #takeTraitsOf({ uid, gid, mode, atimeMs, mtimeMs }: Stats): void {
    const target = this.#open;
    const own = fstatSync(target);
    if (uid !== own.uid || gid !== own.gid) tryTo(() => fchownSync(target, uid, gid));
    // Never set-uid or set-gid: the owner may be another now.
    tryTo(() => fchmodSync(target, mode & 0o777));
    tryTo(() => futimesSync(target, atimeMs / 1000, mtimeMs / 1000));
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

/** For what some file systems do not have. */
function tryTo(action: () => void): void {
  try {
    action();
  } catch {
    // The copy goes without it.
  }
}
