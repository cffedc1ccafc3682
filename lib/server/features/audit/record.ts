import { isoOf } from "../../../shared/time.ts";
import { shownVisitor } from "../../../shared/visitor_name.ts";
import { createHash } from "node:crypto";
import type { AuditRecord } from "../../../shared/schemas/audit.ts";
import type { AuditAction } from "../../../shared/schemas/choices/audit_choices.ts";

/** Something that was done, as it is handed to the log. */
export interface Activity {
  action: AuditAction;
  /** Who did it; null for visitors, or when it is not known. */
  user: { id: number | null; name: string } | null;
  /** The client's address; null for what the server did by itself. */
  address: string | null;
  /** The entry, from the root of the server. */
  path?: string;
  /** Where a copy, a move, an archive arrived. */
  to?: string;
  /** The request for files by which a visitor did it in the user's name, for webhooks. */
  request?: string;
  /** The account, the share, the settings, the command that it was about. */
  subject?: string;
  /** Further details for listeners of the log: they are no part of records. */
  details?: ActivityDetails;
}

/** The details of an activity that notifications need. */
export interface ActivityDetails {
  /** The name that the sender of a received file gave; "" for none. */
  sender?: string;
  /** The size of that file. */
  bytes?: number;
  /** The owner of the share wants to know of its use. */
  isAwaited?: boolean;
  /** The account that was changed, and its fields that were. */
  account?: number;
  fields?: readonly string[];
  /** It was done by a link that an administrator handed out. */
  isByLink?: true;
  /** The ids of users and groups for whom a share is from now on. */
  audience?: { users: readonly number[]; groups: readonly number[] };
}

/** A listener to activities, whether or not they are recorded. */
export interface ActivityListener {
  /** Whether it listens to activities of this kind. */
  accepts(action: AuditAction): boolean;
  /** Takes an activity; it works on it in the background. */
  handle(activity: TimedActivity): void;
}

/** An activity with its time, in milliseconds since 1970. */
export interface TimedActivity extends Activity {
  at: number;
}

/**
 * A visitor without an account, as the log names it: without an id, which users have.
 *
 * @param name of `visitorName()`; "" for none
 */
export function visitorInLog(name: string): Activity["user"] {
  return name === "" ? null : { id: null, name: shownVisitor(name) };
}

/** The value in the first record in place of the hash of a former one. */
export const noHash = "0".repeat(64);

/** The longest record, in bytes: it fits into a value of the store with what is around it. */
const maxRecordBytes = 56 * 1024;

/** The longest subject, and a path where a record is too long with both, in characters. */
const maxSubjectLength = 1_000;
const maxPathLength = 2_000;

/**
 * A record as one line of JSON, which is what is hashed and kept. JSON escapes line breaks and
 * quotes, so that a name cannot forge a record (CWE-117).
 */
export function lineOf(activity: TimedActivity, seq: number, former: string): string {
  const { action, user, address, path, to, subject, at } = activity;
  const facts = (maxLength: number) => ({
    seq,
    time: isoOf(at),
    action,
    ...(user === null ? {} : { user: user.name }),
    ...(typeof user?.id === "number" ? { userId: user.id } : {}),
    ...(address === null ? {} : { address }),
    ...(path === undefined ? {} : { path: clipped(path, maxLength) }),
    ...(to === undefined ? {} : { to: clipped(to, maxLength) }),
    ...(subject === undefined ? {} : { subject: clipped(subject, maxSubjectLength) }),
    former,
  });
  const line = JSON.stringify(facts(Infinity));
  return bytesOf(line).length <= maxRecordBytes ? line : JSON.stringify(facts(maxPathLength));
}

/** Reads a line back; null for what is no record. */
export function recordOf(line: string): AuditRecord | null {
  try {
    const data: unknown = JSON.parse(line);
    if (typeof data !== "object" || data === null || !("seq" in data)) return null;
    const empty = { user: null, userId: null, address: null, path: null, to: null, subject: null };
    return { ...empty, ...data } as AuditRecord;
  } catch {
    return null;
  }
}

/** The hash by which the record that follows names a line. */
export function hashOf(line: string): string {
  return createHash("sha256").update(line).digest("hex");
}

/** The digest of a path in the index of what was done to entries. */
export function placeDigest(path: string): Uint8Array {
  return new Uint8Array(createHash("sha256").update(path).digest().subarray(0, 16));
}

const encoder = new TextEncoder();

/** A text in UTF-8. */
export function bytesOf(text: string): Uint8Array<ArrayBuffer> {
  return encoder.encode(text);
}

function clipped(text: string, maxLength: number): string {
  return text.length <= maxLength ? text : `${text.slice(0, maxLength)}…`;
}
