import { digestOf } from "../../../core/kv/random_id.ts";
import { DomainError } from "../../../../shared/errors.ts";
import { Collection } from "../../../core/kv/collection.ts";
import { commitChange } from "../../../core/kv/commit.ts";
import { bestEffort } from "../../../core/kv/best_effort.ts";
import type { Store } from "../../../core/kv/store.ts";
import { type Share, type ShareUse, termsOf } from "./share.ts";
import { shareRecords } from "./share_records.ts";

/** For how long a download that broke may go on without being counted again, in seconds. */
const continuedFor = 24 * 60 * 60;

/**
 * Most continuations of one download. They are recognised by the client's address alone, so this
 * bounds the uncounted downloads of others behind the same address.
 */
const maxContinuations = 16;

/**
 * Most downloads of a share that are remembered, so that they can go on; the oldest are forgotten.
 */
const maxRemembered = 100;

/** A visit is noted when the last one that was noted is older, in seconds. */
const visitEvery = 60;

/** A download that was counted, and may go on. */
interface Counted {
  /** Digest of the client's address and of what was downloaded. */
  what: string;
  /** Seconds since 1970. */
  at: number;
  /** The continuations that it may still have. */
  left: number;
}

/** The record of a share's use. */
interface UseRecord extends ShareUse {
  counted: Counted[];
}

/** How a share was used, at most 16 KiB: its counts and the downloads that may be continued. */
export const shareUses = new Collection<UseRecord, [hash: string]>("share_uses");

/** A download of a visitor. */
export interface Download {
  address: string;
  /** The identity of a download: the path in the share, and its kind. */
  what: string;
  /** Whether it requests a part after the first byte, as a resumed download does. */
  isContinued: boolean;
}

const unused: UseRecord = { downloads: 0, last: 0, counted: [] };

/** Counts how shares are used, for all threads and processes together. */
export class ShareUses {
  readonly #store: Store;
  readonly #now: () => number;

  /** @param now the clock, in milliseconds since 1970 */
  constructor(store: Store, now: () => number = () => Date.now()) {
    this.#store = store;
    this.#now = now;
  }

  /** How shares were used. */
  async all(shares: readonly Pick<Share, "hash">[]): Promise<(hash: string) => ShareUse> {
    const keys = shares.map(({ hash }) => shareUses.key(hash));
    const records = await shareUses.getAll(this.#store, keys);
    const found = new Map(shares.map(({ hash }, at) => [hash, records[at]?.value ?? unused]));
    return (hash) => found.get(hash) ?? unused;
  }

  /**
   * Whether the downloads of a share are used up: it has ended, except for resumed downloads.
   *
   * @param share without a limit nothing is read
   * @param download the one that is asked for, if one is
   */
  async isUsedUp(share: Share, download?: Download): Promise<boolean> {
    const { downloadLimit } = termsOf(share);
    if (downloadLimit === 0) return false;
    const use = await this.#kept(share.hash);
    if (use.downloads < downloadLimit) return false;
    return !download?.isContinued ||
      continued(use, visitDigest(share.hash, download), this.#seconds()) === null;
  }

  /**
   * Counts a download before its first byte is sent. Of many at once no more pass than the limit
   * says. A download resumed from the same address within a day counts once.
   *
   * Without a limit the count is a figure for the owner alone: it refuses nothing, not even when
   * the store cannot be written.
   *
   * @throws DomainError `not_found` beyond the limit, and when the share has ended meanwhile
   */
  async count(share: Share, download: Download): Promise<void> {
    if (termsOf(share).downloadLimit !== 0) return await this.#commit(share.hash, download);
    if (!download.isContinued) {
      await bestEffort(() => this.#commit(share.hash, download));
    }
  }

  /** Notes that a visitor has come, at most once a minute. */
  async recordVisit({ hash }: Share): Promise<void> {
    const now = this.#seconds();
    const { last } = await this.#kept(hash);
    if (now - last < visitEvery) return;
    await bestEffort(() =>
      commitChange(this.#store, async () => {
        const [use, share] = await this.#read(hash);
        if (share.value === null) return { result: undefined, build: null };
        const next = { ...use.value ?? unused, last: now };
        return {
          result: undefined,
          build: (operation) => operation.check(use, share).set(use.key, next),
        };
      })
    );
  }

  async #commit(hash: string, download: Download): Promise<void> {
    const now = this.#seconds();
    const what = visitDigest(hash, download);
    await commitChange(this.#store, async () => {
      const [use, share] = await this.#read(hash);
      if (share.value === null) throw usedUpError();
      const { downloadLimit } = termsOf(share.value);
      const before = use.value ?? unused;
      const next = download.isContinued ? continued(before, what, now) : null;
      const counted = next ?? withDownload(before, what, now, downloadLimit);
      return {
        result: undefined,
        // The share is checked too: a lower limit holds from the moment it is set.
        build: (operation) => operation.check(use, share).set(use.key, counted),
      };
    });
  }

  #read(hash: string) {
    return this.#store.getMany<[UseRecord, Share]>([shareUses.key(hash), shareRecords.key(hash)]);
  }

  async #kept(hash: string): Promise<UseRecord> {
    return await shareUses.cached(this.#store, hash) ?? unused;
  }

  #seconds(): number {
    return Math.floor(this.#now() / 1000);
  }
}

/** The record with one more continuation; null when there is no such download. */
function continued(use: UseRecord, what: string, now: number): UseRecord | null {
  const index = use.counted.findLastIndex((each) => each.what === what && each.left > 0);
  const found = use.counted[index];
  if (!found || now - found.at > continuedFor) return null;
  const counted = use.counted.with(index, { ...found, left: found.left - 1 });
  return { ...use, last: now, counted };
}

function withDownload(use: UseRecord, what: string, now: number, limit: number): UseRecord {
  const downloads = use.downloads + 1;
  if (limit === 0) return { downloads, last: now, counted: [] };
  if (downloads > limit) throw usedUpError();
  const fresh = { what, at: now, left: maxContinuations };
  const recent = use.counted.filter(({ at }) => now - at <= continuedFor);
  return { downloads, last: now, counted: [...recent, fresh].slice(-maxRemembered) };
}

function usedUpError(): DomainError {
  return new DomainError("not_found", "Cannot find the share: no share has this address");
}

/** The store learns no address of a visitor, only what tells two of them apart. */
function visitDigest(hash: string, { address, what }: Download): string {
  const text = JSON.stringify([hash, address, what]);
  return digestOf(text).slice(0, 22);
}
