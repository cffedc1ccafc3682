import { DomainError, type ErrorCode } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";

/** Refusals that WebDAV tells apart from those of the API, which know no such thing. */
export type DavReason =
  /** The folder that the entry is to be in is not there. */
  | "no_parent"
  /** A folder is to be made, and the name is taken. */
  | "name_taken"
  /** A file is to be written where a folder is. */
  | "is_collection"
  /** The request may replace nothing (`Overwrite: F`, `If-None-Match: *`), and the name is taken. */
  | "not_overwritten"
  /** The destination is on another server. */
  | "other_server"
  /** The destination is the entry itself, or lies in it, or it lies there. */
  | "same_place"
  /** Everything below a folder is asked for at once. */
  | "infinite_depth"
  /** There is no such report. */
  | "unknown_report"
  /** The body is of no kind that the method takes. */
  | "unknown_body"
  /** A lock is in the way, whose token was not submitted. */
  | "locked"
  /** Another lock is in the way of a new one. */
  | "conflicting_lock"
  /** A lock does not cover the entry, or is not the user's. */
  | "no_such_lock"
  /** The conditions of `If` do not hold. */
  | "condition_failed";

/** A refusal with the code of its kind and the reason that WebDAV tells. */
export class DavRefusal extends DomainError {
  /** @param places of the locks in the way, below the server's root */
  constructor(
    readonly reason: DavReason,
    code: ErrorCode,
    message: string,
    readonly places: readonly EntryPath[] = [],
  ) {
    super(code, message);
  }
}
