import { digestOf } from "../../../core/kv/random_id.ts";
import { DomainError } from "../../../../shared/errors.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import { hourMs } from "../../../../shared/time.ts";
import { addressKeyOf } from "../../accounts/auth/rate_limit_keys.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { bestEffort } from "../../../core/kv/best_effort.ts";
import { Collection } from "../../../core/kv/collection.ts";
import type { Store } from "../../../core/kv/store.ts";
import { type FileRequest, requestRecords, type RequestUse } from "./request.ts";

/**
 * For how long an upload holds its place among the limits after its last part began, in
 * milliseconds: visitors that go away must not keep others out.
 */
const heldForMs = hourMs;

/** For how long an announced upload keeps its place until its first byte comes, in milliseconds. */
const announcedForMs = 60_000;

/** Most uploads under way by one request, and most of them from one address. */
const maxHeld = 200;
const maxPerAddress = 50;

/** For how long the record of an upload is kept without a new part; see `partLifeMs`. */
const uploadLifeMs = 25 * hourMs;

/** An upload under way, which counts like a file that has arrived once its first byte has come. */
interface Held {
  id: string;
  bytes: number;
  until: number;
  /** A digest of the address that announced it. */
  address?: string;
  /** No byte has come: it keeps no other upload out. */
  isAnnounced?: boolean;
}

interface UseRecord extends RequestUse {
  held: Held[];
}

/** An upload of a visitor. */
export interface RequestUpload {
  id: string;
  /** The owner of the request. */
  userId?: number;
  /** The target, counted from the folder of the request. */
  path: EntryPath;
  /** The length of the whole file, in bytes. */
  length: number;
  /** The name that its sender gave; absent for none. */
  sender?: string;
  /** In milliseconds since 1970. */
  until: number;
}

/** The uploads to a request by its hash, at most 32 KiB: counts, and those under way. */
const requestUses = new Collection<UseRecord, [hash: string]>("request_uses");

/** An upload by a visitor, at most 9 KiB: its path. The id is the visitor's capability for it. */
export const requestUploads = new Collection<RequestUpload, [hash: string, id: string]>(
  "request_uploads",
);

/** Drops the bytes of a visitor's upload, and what they have reserved. */
export type DropUpload = (upload: RequestUpload) => Promise<void>;

const unused: UseRecord = { files: 0, bytes: 0, last: 0, held: [] };

/** Counts what requests receive, for all threads and processes together. */
export class RequestUses {
  readonly #store: Store;
  readonly #now: () => number;
  readonly #drop: DropUpload;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number, drop: DropUpload) {
    this.#store = store;
    this.#now = now;
    this.#drop = drop;
  }

  /** The uses of a request. */
  async of(hash: string): Promise<RequestUse> {
    const { files, bytes, last } = await requestUses.get(this.#store, hash) ?? unused;
    return { files, bytes, last };
  }

  /**
   * Takes a place for an upload that is announced, for as long as its first byte may take. It is
   * refused where there is no room, but keeps no other upload out.
   *
   * @param address of the visitor: one address gets only a part of the places
   * @throws DomainError as {@link hold}
   */
  async announce(
    request: FileRequest,
    upload: Omit<RequestUpload, "until">,
    address: string,
  ): Promise<void> {
    const lapsed = await this.#take(request, upload, addressDigest(address));
    for (const { id } of lapsed) await this.drop(request.hash, id);
  }

  /**
   * Takes a place among the limits for an upload, or holds the one that it has: before its first
   * byte, and with each part. Of many at once no more pass than there is room for.
   *
   * @throws DomainError `not_found` when the request has ended; `body_too_large`; `forbidden` when
   * as many files have come as are taken; `busy` while too many are under way
   */
  async hold(request: FileRequest, upload: Omit<RequestUpload, "until">): Promise<void> {
    await this.#take(request, upload);
  }

  /** @returns the announced uploads that have lost their places */
  async #take(
    { hash }: FileRequest,
    upload: Omit<RequestUpload, "until">,
    announcer?: string,
  ): Promise<Held[]> {
    return await commitChange(this.#store, async () => {
      const now = this.#now();
      const [use, request] = await this.#store.getMany<[UseRecord, FileRequest]>([
        requestUses.key(hash),
        requestRecords.key(hash),
      ]);
      if (request.value === null) throw requestEndedError();
      const before = use.value ?? unused;
      const own = before.held.find(({ id }) => id === upload.id);
      const others = before.held.filter(({ id, until }) => id !== upload.id && until > now);
      const coming = others.filter(({ isAnnounced }) => !isAnnounced);
      checkLimits(request.value, { ...before, held: coming }, upload);
      const ofAddress = others.filter(({ address }) => address === announcer);
      if (announcer !== undefined && ofAddress.length >= maxPerAddress) throw tooManyError();
      // The newest announcements come last.
      const first = others.length < maxHeld ? null : others.find((held) => held.isAnnounced);
      if (first === undefined) throw tooManyError();
      const kept = others.filter((held) => held !== first);
      const isAnnounced = announcer !== undefined;
      const address = announcer ?? own?.address;
      const place: Held = {
        ...{ id: upload.id, bytes: upload.length },
        until: now + (isAnnounced ? announcedForMs : heldForMs),
        ...address !== undefined && { address },
        ...isAnnounced && { isAnnounced },
      };
      const key = requestUploads.key(hash, upload.id);
      const until = now + (isAnnounced ? announcedForMs : uploadLifeMs);
      const lapsed = before.held.filter((held) =>
        held.isAnnounced && held.id !== upload.id && !kept.includes(held)
      );
      return {
        result: lapsed,
        // The request is checked too: a lower limit holds from the moment it is set.
        build: (operation) =>
          operation.check(use, request)
            .set(use.key, { ...before, held: [...kept, place] })
            .set(key, { ...upload, until }),
      };
    });
  }

  /** @throws DomainError `not_found` */
  async upload(hash: string, id: string): Promise<RequestUpload> {
    const upload = await requestUploads.get(this.#store, hash, id);
    if (upload && upload.until > this.#now()) return upload;
    throw new DomainError("not_found", "Cannot resume the upload: no upload has this address");
  }

  /** The request that an upload belongs to; null for none. */
  async hashOf(id: string): Promise<string | null> {
    const uploads = await this.listUploads();
    return uploads.find(({ upload }) => upload.id === id)?.hash ?? null;
  }

  /** The uploads that are not counted yet, each with the hash of its request. */
  async listUploads(): Promise<{ hash: string; upload: RequestUpload }[]> {
    const entries = await requestUploads.entries(this.#store);
    return entries.map(({ key, value }) => ({ hash: String(key[1]), upload: value }));
  }

  /** Drops an upload with all that has come. */
  async drop(hash: string, id: string): Promise<void> {
    const upload = await requestUploads.get(this.#store, hash, id);
    if (!upload) return;
    await this.#drop(upload);
    await requestUploads.remove(this.#store, hash, id);
  }

  /** Counts a file that has arrived, once: the place that it held is counted for good. */
  async received(hash: string, { id, length }: Pick<RequestUpload, "id" | "length">) {
    await bestEffort(() =>
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

  /** Drops the uploads that were given up. */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    for (const { hash, upload } of await this.listUploads()) {
      if (upload.until <= now) await this.drop(hash, upload.id);
    }
  }

  async #settle(hash: string, id: string, change: (use: UseRecord) => UseRecord): Promise<void> {
    await commitChange(this.#store, async () => {
      const [use, request, upload] = await this.#store.getMany<
        [UseRecord, FileRequest, RequestUpload]
      >([requestUses.key(hash), requestRecords.key(hash), requestUploads.key(hash, id)]);
      if (request.value === null || upload.value === null) {
        return { result: undefined, build: null };
      }
      const before = use.value ?? unused;
      const next = change({ ...before, held: before.held.filter((each) => each.id !== id) });
      return {
        result: undefined,
        build: (operation) =>
          operation.check(use, request, upload).set(use.key, next).delete(upload.key),
      };
    });
  }
}

function checkLimits({ limits }: FileRequest, use: UseRecord, upload: { length: number }): void {
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
}

function tooManyError(): DomainError {
  return new DomainError("busy", "Cannot take the file: too many are being sent", 10);
}

function addressDigest(address: string): string {
  return digestOf(addressKeyOf(address)).slice(0, 16);
}

function requestEndedError(): DomainError {
  return new DomainError("not_found", "Cannot find the request: no request has this address");
}
