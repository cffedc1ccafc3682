import { createHash } from "node:crypto";
import { type EntryPath, joinPaths, relativePath, ROOT } from "../../../shared/path.ts";
import type { CountedArea } from "../../core/access/allowance.ts";
import { type FinishedUpload, FinishedUploads } from "./finished_uploads.ts";
import { chunksDigest, UploadChunks } from "./upload_chunks.ts";
import { Collection } from "../../core/kv/collection.ts";
import type { Store } from "../../core/kv/store.ts";
import { dayMs } from "../../../shared/time.ts";

/** An unfinished upload lives for so long after the last byte that came, in milliseconds. */
const partLifeMs = dayMs;

/** When an upload expires whose last byte comes now, in milliseconds since 1970. */
export function partEnd(): number {
  return Date.now() + partLifeMs;
}

/** The record of an unfinished upload. How much has arrived is the size of its file. */
export interface UploadPart {
  userId: number;
  /**
   * The visitor's upload that it is, by a link of the user. Absent for the user's own, which has
   * another key: neither sees nor drops the other's of the same path.
   */
  upload?: string;
  /**
   * The name that a client has given to an upload in chunks. Absent for one whose bytes come in
   * order.
   */
  chunks?: string;
  /** All chunks of it are in their order in the file, and no more can come. */
  isAssembled?: boolean;
  /** The target in the user's scope; the root while that is not known, of an upload in chunks. */
  path: EntryPath;
  /** The folder that holds the temporary file, below the server root. */
  folder: EntryPath;
  /** The temporary file's name, and its inode when it was made: another in its place is refused. */
  name: string;
  ino: number | null;
  /** The length of the whole file, in bytes; {@link unknownLength} of uploads in chunks. */
  length: number;
  /**
   * The length of an upload in chunks, in bytes, as far as it is known. Apart from `length`, as a
   * file of that size may lack chunks: a former release must not take it for complete.
   */
  announced?: number;
  /** A file of the same name may be replaced. */
  override: boolean;
  /** The time that the file is to have, in milliseconds since 1970. */
  lastModified?: number;
  /** The room reserved for it, if its user has a quota. */
  room?: PartReservation;
  /** By what a user's own upload was begun, so that a start can finish it. */
  begun?: BegunBy;
  /** The requests that write to it, oldest first: the last one alone may go on. */
  writers?: Writer[];
  /** When it expires, in milliseconds since 1970. */
  expires: number;
}

/** The length of an upload of which the size of its file does not tell whether it is complete. */
export const unknownLength = Number.MAX_SAFE_INTEGER;

/** The length of the whole file, in bytes, as far as it is known. */
export function lengthOf({ length, announced = length }: UploadPart): number {
  return announced;
}

/**
 * An unfinished resumable upload of a user, at most 20 KiB: two paths and some numbers. The key has
 * a digest of the path, which may be longer than a key. When its folder is moved, its temporary file
 * goes with it, and is found there when it expires.
 */
export const uploadParts = new Collection<UploadPart, [userId: number, digest: string]>(
  "upload_parts",
  {
    follows: {
      placesOf: ({ folder }) => [folder],
      moved: (part, from, to) => ({
        ...part,
        folder: joinPaths(to, relativePath(part.folder, from)),
      }),
    },
  },
);

/** The state of a resumable upload. */
export interface UploadState {
  /** Bytes that have come. */
  offset: number;
  /** The length of the whole file, in bytes. */
  length: number;
  /** When the unfinished upload expires, in milliseconds since 1970. */
  expires: number;
  /** The ETag of the file, once it is complete and has its name. */
  etag?: string;
  /** The path that it got then, where that is known. */
  path?: EntryPath;
}

/** By what and from where an upload was begun. */
export interface BegunBy {
  address: string;
  /** The `epoch` of the user then: an upload whose sign-in has ended is not finished by a start. */
  epoch: number;
  /** The API token; absent for a session. */
  tokenId?: string;
}

/** A request that writes to an unfinished upload. */
export interface Writer {
  id: string;
  /** When its process counts as dead, in milliseconds since 1970. */
  until: number;
  /** Where its bytes begin, which count only once their digest is verified; absent without one. */
  unverifiedFrom?: number;
  /** The chunk that it writes, and where: writers of other chunks write at the same time. */
  chunk?: ChunkPlace;
}

/** Where in the file of an upload the bytes of a chunk are. */
export interface ChunkPlace {
  name: string;
  start: number;
  /** In bytes. */
  length: number;
}

/**
 * The owner of an upload: a user, or a visitor by a link of the user; with the name of an upload in
 * chunks.
 */
export type Uploader = Pick<UploadPart, "userId" | "upload" | "chunks">;

/** Space that is reserved for a resumable upload. */
export interface PartReservation {
  /** The area of the limit. */
  area: CountedArea;
  /** Names the reservation. */
  ticket: string;
}

/** A new name for such a reservation. */
export function makeTicket(): string {
  return ticketStart + crypto.randomUUID();
}

/** Whether a reservation is of an upload that may go on after its process has ended. */
export function isTicket(name: string): boolean {
  return name.startsWith(ticketStart);
}

const ticketStart = "upload-";

/** Gives back what an upload has reserved. @param isUnsure whether its file may be counted now */
export type ReleaseReservation = (room: PartReservation, isUnsure: boolean) => Promise<void>;

/** The unfinished uploads in the store: one for each user and path. */
export class UploadParts {
  readonly #store: Store;
  readonly #release: ReleaseReservation;
  /** Those that are complete, for a while. */
  readonly finished: FinishedUploads;
  /** The chunks that have come of those that come in chunks. */
  readonly chunks: UploadChunks;

  constructor(store: Store, release: ReleaseReservation = () => Promise.resolve()) {
    this.#store = store;
    this.#release = release;
    this.finished = new FinishedUploads(store);
    this.chunks = new UploadChunks(store, () => this.list());
  }

  async get(uploader: Uploader, path: EntryPath): Promise<UploadPart | null> {
    return await uploadParts.get(this.#store, ...idOf({ ...uploader, path }));
  }

  /** Stores a new part. */
  async put(part: Omit<UploadPart, "expires">): Promise<UploadPart> {
    const lasting = { ...part, expires: partEnd() };
    await this.#store.atomic((operation) =>
      this.finished.forget(
        uploadParts.put(operation, idOf(part), lasting),
        part.userId,
        endDigest(part),
      )
    );
    return lasting;
  }

  /**
   * Changes a part as it is at the moment of the commit.
   *
   * @param change returns null to change nothing
   * @param also adds what is written in the same commit
   * @returns the part as it is then; null when there is none
   */
  async change(
    part: Uploader & Pick<UploadPart, "path">,
    change: (now: UploadPart) => UploadPart | null | Promise<UploadPart | null>,
    also?: (operation: Deno.AtomicOperation) => unknown,
  ): Promise<UploadPart | null> {
    let last: UploadPart | null = null;
    const next = await uploadParts.update(this.#store, idOf(part), async (now) => {
      last = now;
      return now && await change(now) || undefined;
    }, also);
    return next ?? last;
  }

  /** Ends the leases of writers that a kill has ended, at a start of the only process. */
  async endWriters(): Promise<void> {
    for (const part of await this.list()) {
      if (!part.writers?.length) continue;
      await this.change(part, ({ writers = [], ...now }) => ({
        ...now,
        writers: writers.map((writer) => ({ ...writer, until: 0 })),
      }));
    }
  }

  /** @param isLost whether its file is gone: it may have got its name before a kill */
  async remove(
    part: Uploader & Pick<UploadPart, "path" | "room">,
    isLost = false,
  ): Promise<void> {
    await uploadParts.remove(this.#store, ...idOf(part));
    if (part.room) await this.#release(part.room, isLost);
    await this.chunks.clear(part);
  }

  /**
   * Removes one whose file has its name, and notes that for a while: a client that has not got the
   * answer asks again.
   *
   * @param isLost as of {@link remove}
   */
  async finish(part: UploadPart, isLost = false): Promise<void> {
    const { userId, room } = part;
    await this.#store.atomic((operation) =>
      this.finished.add(
        operation.delete(uploadParts.key(...idOf(part))),
        userId,
        endDigest(part),
        { ino: part.ino, length: lengthOf(part) },
      )
    );
    if (room) await this.#release(room, isLost);
    await this.chunks.clear(part);
  }

  /** The end of an upload, if it is known. */
  async end(upload: Uploader & Partial<Pick<UploadPart, "path">>): Promise<FinishedUpload | null> {
    return await this.finished.get(upload.userId, endDigest(upload));
  }

  /** All of them, those that have expired included. @param userId whose; of all unless given */
  async list(userId?: number): Promise<UploadPart[]> {
    return await uploadParts.list(this.#store, userId);
  }

  /** Gives back what uploads have reserved whose folder was removed. */
  async ended(parts: readonly Deno.KvEntry<UploadPart>[]): Promise<void> {
    for (const { value: part } of parts) {
      if (part.room) await this.#release(part.room, false);
      await this.chunks.clear(part);
    }
  }
}

function idOf(
  { userId, upload, chunks, path }: Uploader & Pick<UploadPart, "path">,
): [userId: number, digest: string] {
  if (chunks !== undefined) return [userId, chunksDigest(chunks)];
  // No path begins with anything but a slash.
  return [userId, digestOf(upload === undefined ? path : `${upload} ${path}`)];
}

/** Of a visitor's upload its name alone, as the path is forgotten with its end. */
function endDigest(
  { upload, chunks, path = ROOT }: Uploader & Partial<Pick<UploadPart, "path">>,
): string {
  return chunks === undefined ? digestOf(upload ?? path) : chunksDigest(chunks);
}

function digestOf(text: string): string {
  return createHash("sha256").update(text).digest("base64url");
}
