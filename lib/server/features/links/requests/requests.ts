import { DomainError } from "../../../../shared/errors.ts";
import type { EntryPath } from "../../../../shared/path.ts";
import type { RequestLimits } from "../../../../shared/schemas/request.ts";
import { idsIn } from "../../../core/kv/collection.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { inParts } from "../../../core/kv/parts.ts";
import { checkRecordSize } from "../../../core/kv/size.ts";
import type { Store } from "../../../core/kv/store.ts";
import type { Passwords } from "../../accounts/passwords/passwords.ts";
import { hasExpired } from "../shares/share.ts";
import { endAfter, hashLinkPassword, makeCapability } from "../link_terms.ts";
import { missingUsers } from "../../accounts/users/user_reader.ts";
import {
  type FileRequest,
  noLimits,
  requestRecords,
  requestsByPlace,
  requestsByUser,
} from "./request.ts";
import { type DropUpload, requestUploads, RequestUses } from "./request_uses.ts";

/** Requests that are removed in one commit: Deno KV takes up to 80 KiB of keys, 2 KiB of a place. */
const maxDropped = 32;

/** The terms of a request that is made or changed; absent ones stay. */
export interface RequestChange {
  /** "" removes it. */
  password?: string;
  /** From now on; 0 for no end. */
  seconds?: number;
  limits?: Partial<RequestLimits>;
}

/** The requests for files. One follows its folder when that is moved, and ends with it. */
export class Requests {
  readonly #store: Store;
  readonly #passwords: Passwords;
  readonly #now: () => number;
  /** The files that they have received. */
  readonly uses: RequestUses;

  /**
   * @param drop drops an upload that is not to be resumed
   * @param now the clock, in milliseconds since 1970
   */
  constructor(
    store: Store,
    passwords: Passwords,
    drop: DropUpload = () => Promise.resolve(),
    now: () => number = () => Date.now(),
  ) {
    this.#store = store;
    this.#passwords = passwords;
    this.#now = now;
    this.uses = new RequestUses(store, now, drop);
  }

  /**
   * Makes a request.
   *
   * @param of the owner; the folder with the owner's scope before it; the folder's own place
   * @throws DomainError `invalid_password` when it has more than 72 bytes
   */
  async create(
    of: Pick<FileRequest, "userId" | "path" | "place">,
    { password = "", seconds = 0, limits }: RequestChange,
  ): Promise<FileRequest> {
    const request: FileRequest = {
      ...of,
      hash: makeCapability(),
      expire: endAfter(seconds, this.#now()),
      passwordHash: await hashLinkPassword(this.#passwords, password),
      limits: { ...noLimits, ...limits },
      edition: 0,
    };
    checkRecordSize(`request files for "${of.path}"`, request);
    await requestRecords.set(this.#store, [request.hash], request);
    return request;
  }

  /**
   * Changes a request, as it is at the moment of the commit. Tokens that visitors hold are void
   * then.
   *
   * @throws DomainError `not_found`; `invalid_password`
   */
  async change(hash: string, { password, seconds, limits }: RequestChange): Promise<FileRequest> {
    const passwordHash = password === undefined
      ? undefined
      : await hashLinkPassword(this.#passwords, password);
    return await requestRecords.update(this.#store, [hash], (request) => {
      if (!request || hasExpired(request, this.#now())) throw noRequestError();
      const next: FileRequest = {
        ...request,
        ...passwordHash !== undefined && { passwordHash },
        ...seconds !== undefined && { expire: endAfter(seconds, this.#now()) },
        limits: { ...request.limits, ...limits },
        edition: request.edition + 1,
      };
      checkRecordSize(`request files for "${next.path}"`, next);
      return next;
    });
  }

  /** @throws DomainError `not_found`, for an expired one as well */
  async get(hash: string): Promise<FileRequest> {
    const request = await requestRecords.get(this.#store, hash);
    if (request && !hasExpired(request, this.#now())) return request;
    throw noRequestError();
  }

  /**
   * Requests in the order of their hashes, part by part.
   *
   * @param of.userId whose; of all users unless given
   * @param of.after the hash behind which they begin
   */
  async *parts(of: { userId?: number; after?: string } = {}): AsyncGenerator<FileRequest[], void> {
    const { userId, after } = of;
    if (userId === undefined) {
      for await (const part of requestRecords.page(this.#store, { after })) {
        yield this.#live(part);
      }
      return;
    }
    for await (const part of inParts(this.#store, requestsByUser.prefix(userId), { after })) {
      yield this.#live(await requestRecords.named(this.#store, part));
    }
  }

  /** The requests for one folder, of all users. @param place of the folder */
  async at(place: EntryPath): Promise<FileRequest[]> {
    const selector = requestsByPlace.at(place);
    const keys = await this.#store.read((kv) => Array.fromAsync(kv.list(selector)));
    const found = this.#live(await requestRecords.named(this.#store, keys));
    return found.filter((request) => request.place === place);
  }

  /** Whether a password opens the request; without one all do. Takes the time of a comparison. */
  async isOpenedBy({ passwordHash }: FileRequest, password: string): Promise<boolean> {
    return passwordHash === null || await this.#passwords.verify(password, passwordHash);
  }

  /** Ends a request. Files that have arrived stay; uploads under way are dropped. */
  async remove({ hash }: Pick<FileRequest, "hash">): Promise<void> {
    await this.#removeAll([hash]);
  }

  /** Ends all requests of a deleted user. */
  async removeOf(userId: number): Promise<void> {
    const size = maxDropped;
    for await (const part of inParts(this.#store, requestsByUser.prefix(userId), { size })) {
      await this.#removeAll(idsIn(part));
    }
  }

  /**
   * Removes requests that have expired, those of users who are gone, as a process may be killed
   * while it removes them, and the records of uploads that were given up.
   */
  async removeExpired(): Promise<void> {
    const now = this.#now();
    const size = maxDropped;
    for await (const requests of requestRecords.page(this.#store, { size })) {
      const gone = await missingUsers(this.#store, new Set(requests.map(({ userId }) => userId)));
      const over = requests.filter((each) => hasExpired(each, now) || gone.has(each.userId));
      await this.#removeAll(over.map(({ hash }) => hash));
    }
    await this.uses.removeExpired();
  }

  /** Ends requests in one commit. @param hashes at most {@linkcode maxDropped} */
  async #removeAll(hashes: readonly string[]): Promise<void> {
    await commitChange(this.#store, async () => {
      const keys = hashes.map((hash) => requestRecords.key(hash));
      const found = await requestRecords.getAll(this.#store, keys);
      const entries = found.filter((entry) => entry.versionstamp !== null);
      if (entries.length === 0) return { result: undefined, build: null };
      return {
        result: undefined,
        build: (operation) => {
          for (const entry of entries) requestRecords.drop(operation, entry);
          return operation;
        },
      };
    });
    await this.dropUploads(hashes);
  }

  /** Drops the uploads to requests that have ended. */
  async dropUploads(hashes: readonly string[]): Promise<void> {
    for (const hash of hashes) {
      const uploads = await requestUploads.list(this.#store, hash);
      await Promise.all(uploads.map(({ id }) => this.uses.drop(hash, id)));
    }
  }

  #live(requests: readonly FileRequest[]): FileRequest[] {
    const now = this.#now();
    return requests.filter((request) => !hasExpired(request, now));
  }
}

function noRequestError(): DomainError {
  return new DomainError("not_found", "Cannot find the request: no request has this address");
}
