import { DomainError } from "../../../../shared/errors.ts";
import { includesRight } from "../../../../shared/schemas/choices/choices.ts";
import type { Gate } from "../../../core/access/gate.ts";
import type { ResumableUploads } from "../../../files/upload/resumable.ts";
import type { UploadPart, UploadParts } from "../../../files/upload/upload_parts.ts";
import { bestEffort } from "../../../core/kv/best_effort.ts";
import type { SettingsStore } from "../../settings/settings_store.ts";
import type { Users } from "../../accounts/users/users.ts";
import { rightTo, type Share, visitorId } from "./share.ts";
import type { Shares } from "./shares.ts";
import { enterWithoutLooking } from "./visit.ts";

/** The parts that the uploads of recipients are decided by. */
export interface RecipientUploadsOptions {
  parts: UploadParts;
  uploads: ResumableUploads;
  shares: Shares;
  users: Users;
  settings: SettingsStore;
  gate: Gate;
}

/** Most unfinished uploads of visitors by one share: each holds a part of the owner's quota. */
const maxByVisitors = 200;

/**
 * Names the upload of a recipient by a share.
 *
 * @param userId {@linkcode visitorId} for one without an account
 * @param id of the upload: random
 */
export function recipientUpload(hash: string, userId: number, id: string): string {
  return `${hash} ${userId} ${id}`;
}

/** The share and the recipient of an upload that {@linkcode recipientUpload} has named; or null. */
export function recipientOf(upload: string | undefined): { hash: string; userId: number } | null {
  const [hash = "", userId] = upload?.split(" ") ?? [];
  return userId === undefined ? null : { hash, userId: Number(userId) };
}

/** The unfinished uploads of recipients and visitors of shares. */
export class RecipientUploads {
  readonly #options: RecipientUploadsOptions;

  constructor(options: RecipientUploadsOptions) {
    this.#options = options;
  }

  /**
   * Drops the uploads whose share, or whose recipient's or owner's right to it, has ended: their
   * bytes and reservations must not use the owner's disk and quota up for another day.
   *
   * @param ownerId drops uploads by the shares of this user alone
   */
  async dropEnded(ownerId?: number): Promise<void> {
    const { parts, uploads } = this.#options;
    for (const part of await parts.list(ownerId)) {
      if (await this.#hasEnded(part)) await bestEffort(() => uploads.dropLost(part, part.path));
    }
  }

  /**
   * Lets a visitor begin one more upload.
   *
   * @throws DomainError `throttled` while too many are unfinished
   */
  async admitVisitor({ hash, userId }: Share): Promise<void> {
    const own = recipientUpload(hash, visitorId, "");
    const parts = await this.#options.parts.list(userId);
    if (parts.filter(({ upload }) => upload?.startsWith(own)).length < maxByVisitors) return;
    const reason = "too many uploads of others are unfinished";
    throw new DomainError("throttled", `Cannot add to the share: ${reason}`, 60);
  }

  /** For records that expire. */
  async removeExpired(): Promise<void> {
    await this.dropEnded();
  }

  async #hasEnded({ upload, path }: UploadPart): Promise<boolean> {
    const recipient = recipientOf(upload);
    if (!recipient) return false;
    const { shares, users, settings, gate } = this.#options;
    try {
      const share = await shares.at(recipient.hash);
      const user = recipient.userId === visitorId ? null : await users.acting(recipient.userId);
      const options = { gate, users, settings: await settings.get() };
      const may = rightTo(share, user, options.settings);
      if (may === null || !includesRight(may, "upload")) return true;
      const { access } = await enterWithoutLooking(share, options);
      return isDenied(() => access.check(path, "Cannot add to the share"));
    } catch (error) {
      if (error instanceof DomainError && /^(?:not_found|forbidden)$/.test(error.code)) return true;
      throw error;
    }
  }
}

/** An entry that is not there proves nothing: its disk may be away. */
function isDenied(check: () => void): boolean {
  try {
    check();
    return false;
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    return error.code === "forbidden";
  }
}
