import { DomainError } from "../../shared/errors.ts";
import type { EntryPath } from "../../shared/path.ts";
import { commitChange } from "../kv/commit.ts";
import { ifWritable } from "../kv/if_writable.ts";
import {
  requestKey,
  requestUploadKey,
  requestUploadsPrefix,
  requestUseKey,
} from "../kv/keys/requests.ts";
import { removeExpired } from "../kv/remove_expired.ts";
import type { Store } from "../kv/store.ts";
import type { FileRequest, RequestUse } from "./request.ts";

/**
 * For how long an upload holds its place among the limits after its last part began, in
 * milliseconds: visitors that go away must not keep others out.
 */
const heldForMs = 60 * 60_000;

/** Most uploads under way by one request. */
const mostHeld = 200;

/** For how long the record of an upload is kept without a new part; see `partLifeMs`. */
const uploadLifeMs = 25 * 60 * 60_000;

/** An upload under way, which counts like a file that has arrived. */
interface Held {
  id: string;
  bytes: number;
  until: number;
}

interface UseRecord extends RequestUse {
  held: Held[];
}

/** An upload of a visitor. */
export interface RequestUpload {
  id: string;
  /** The target, counted from the folder of the request. */
  path: EntryPath;
  /** The length of the whole file, in bytes. */
  length: number;
  /** The name that its sender gave; absent for none. */
  sender?: string;
  /** In milliseconds since 1970. */
  until: number;
}

const unused: UseRecord = { files: 0, bytes: 0, last: 0, held: [] };

/** Counts what requests receive, for all threads and processes together. */
export class RequestUses {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number) {
    this.#store = store;
    this.#now = now;
  }

  /** The uses of a request. */
  async of(hash: string): Promise<RequestUse> {
    const { value } = await this.#store.get<UseRecord>(requestUseKey(hash));
    const { files, bytes, last } = value ?? unused;
    return { files, bytes, last };
  }

  /**
   * Takes a place among the limits for an upload, or holds the one that it has: before it begins,
   * and with each part. Of many at once no more pass than there is room for.
   *
   * @throws DomainError `not_found` when the request has ended; `body_too_large`; `forbidden` when
   * as many files have come as are taken; `busy` while too many are under way
   */
  async hold({ hash }: FileRequest, upload: Omit<RequestUpload, "until">): Promise<void> {
    await commitChange(this.#store, async () => {
      const now = this.#now();
      const [use, request] = await this.#store.getMany<[UseRecord, FileRequest]>([
        requestUseKey(hash),
        requestKey(hash),
      ]);
      if (request.value === null) throw ended();
      const before = use.value ?? unused;
      const others = before.held.filter(({ id, until }) => id !== upload.id && until > now);
      checkRoom(request.value, { ...before, held: others }, upload);
      const held = [...others, { id: upload.id, bytes: upload.length, until: now + heldForMs }];
      const key = requestUploadKey(hash, upload.id);
      return {
        result: undefined,
        // The request is checked too: a lower limit holds from the moment it is set.
        build: (operation) =>
          operation.check(use, request)
            .set(use.key, { ...before, held })
            .set(key, { ...upload, until: now + uploadLifeMs }),
      };
    });
  }

  /** @throws DomainError `not_found` */
  async upload(hash: string, id: string): Promise<RequestUpload> {
    const { value } = await this.#store.get<RequestUpload>(requestUploadKey(hash, id));
    if (value) return value;
    throw new DomainError(
      "not_found",
      "Cannot go on with the upload: there is none at this address",
    );
  }

  /** Notes that a file has arrived; the place that it held is counted for good. */
  async received(hash: string, { id, length }: Pick<RequestUpload, "id" | "length">) {
    await ifWritable(() =>
      this.#settle(hash, id, (use) => ({
        ...use,
        files: use.files + 1,
        bytes: use.bytes + length,
        last: Math.floor(this.#now() / 1000),
      }))
    );
  }

  /** Gives the place of an upload free that was given up. */
  async release(hash: string, id: string): Promise<void> {
    await this.#settle(hash, id, (use) => use);
  }

  /** Removes the records of uploads that were given up. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    const isOver = ({ until }: RequestUpload) => until <= now;
    await removeExpired<RequestUpload>(this.#store, requestUploadsPrefix(), isOver);
  }

  async #settle(hash: string, id: string, change: (use: UseRecord) => UseRecord): Promise<void> {
    await commitChange(this.#store, async () => {
      const [use, request] = await this.#store.getMany<[UseRecord, FileRequest]>([
        requestUseKey(hash),
        requestKey(hash),
      ]);
      if (request.value === null) return { result: undefined, build: null };
      const before = use.value ?? unused;
      const next = change({ ...before, held: before.held.filter((each) => each.id !== id) });
      return {
        result: undefined,
        build: (operation) =>
          operation.check(use, request).set(use.key, next).delete(requestUploadKey(hash, id)),
      };
    });
  }
}

function checkRoom({ limits }: FileRequest, use: UseRecord, upload: { length: number }): void {
  const { maxFiles, maxFileSize, maxTotalSize } = limits;
  if (maxFileSize !== 0 && upload.length > maxFileSize) {
    throw new DomainError(
      "body_too_large",
      `Cannot take the file: it is over ${maxFileSize} bytes`,
    );
  }
  if (maxFiles !== 0 && use.files + use.held.length >= maxFiles) {
    throw new DomainError("forbidden", `Cannot take the file: ${maxFiles} files were asked for`);
  }
  const total = use.held.reduce((sum, { bytes }) => sum + bytes, use.bytes) + upload.length;
  if (maxTotalSize !== 0 && total > maxTotalSize) {
    const reason = `all files together may have ${maxTotalSize} bytes`;
    throw new DomainError("body_too_large", `Cannot take the file: ${reason}`);
  }
  if (use.held.length >= mostHeld) {
    throw new DomainError("busy", "Cannot take the file: too many are being sent", 10);
  }
}

function ended(): DomainError {
  return new DomainError("not_found", "Cannot find the request: there is none at this address");
}
