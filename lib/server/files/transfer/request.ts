import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";

/** Source and destination of a transfer, and what to do on a conflict. */
export interface TransferRequest {
  action: "copy" | "move";
  from: EntryPath;
  /** The new path itself, not the folder that will contain it. */
  to: EntryPath;
  /** Replaces an existing file, merges into an existing folder. Needs modify as well. */
  override: boolean;
  /** Picks another name on a conflict. Precedes `override`. */
  rename: boolean;
  /** Lets another call go on with what an aborted one has copied. */
  resumable?: ResumableCopy;
}

/** The mark of the unfinished copy of a transfer. */
export interface ResumableCopy {
  /** The name of its staging folder: a temporary name. An aborted transfer leaves it. */
  staging: string;
  /** When the transfer was first begun, in milliseconds since 1970. */
  since: number;
}

/** For messages: `Cannot copy "/a.txt"`. */
export function actionOf({ action, from }: TransferRequest): string {
  return `Cannot ${action} "${from}"`;
}

/** The destination name is taken: with `rename`, the next name is tried. */
export class NameTaken extends DomainError {
  constructor(action: string) {
    super("exists", `${action}: the destination already exists`);
  }
}
