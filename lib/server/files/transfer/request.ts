import type { EntryPath } from "../../../shared/path.ts";
import { DomainError } from "../../../shared/errors.ts";

/** What is to be copied or moved, and what may happen when the name is taken. */
export interface TransferRequest {
  action: "copy" | "move";
  from: EntryPath;
  /** The new path itself, not the folder to put it into. */
  to: EntryPath;
  /** A file that has the name is replaced, a folder takes in what comes. Needs modify as well. */
  override: boolean;
  /** Another name is picked when this one is taken. Goes before `override`. */
  rename: boolean;
}

/** For messages: `Cannot copy "/a.txt"`. */
export function actionOf({ action, from }: TransferRequest): string {
  return `Cannot ${action} "${from}"`;
}

/** The name at the destination is taken: where another may be picked, the next one is tried. */
export class NameTaken extends DomainError {
  constructor(action: string) {
    super("exists", `${action}: the destination already exists`);
  }
}
