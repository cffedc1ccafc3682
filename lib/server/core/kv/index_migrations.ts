import { createHash } from "node:crypto";
import { type EntryPath, nameOf, parentOf } from "../../../shared/path.ts";
import { digestsOf, folderDigest } from "./path_digests.ts";
import { numberOf } from "./random_id.ts";
import type { Migration } from "./schema.ts";

/** A share as former versions wrote it. */
interface InlineShare {
  hash: string;
  userId: number;
  path: EntryPath;
  place: EntryPath;
  /** The present version writes it, and no paths. */
  target?: string;
  terms?: { audience?: { users: number[]; groups: number[] } | null };
}

/** An entry in the trash. */
interface Trashed {
  id: string;
  userId: number;
  path: EntryPath;
  isVersion?: boolean;
}

/**
 * The migrations that write the indexes by which lists are read in parts. Their keys are those of
 * the version that they lead to, whatever the collections declare later.
 */
export const indexMigrations: readonly Migration[] = [
  // The entries that shares lead to are records of their own.
  {
    backfill: {
      name: "shares",
      prefix: ["shares"],
      change(writes, { key, value }) {
        const { path, place, ...share } = value as InlineShare;
        if (share.target !== undefined) return writes;
        const { hash, userId } = share;
        const target = targetOf(userId, path, place);
        const segments = digestsOf(place);
        // When the last of its shares ends is not known here: 0 is never.
        const end = 0;
        return writes
          .delete(["share_places", ...segments, hash])
          .set(key, { ...share, target })
          .set(["target_shares", target, hash], null)
          .set(["share_targets", target], { userId, path, place, end })
          .set(["share_places", ...segments, target], null)
          .set(["share_marks", userId, folderDigest(parentOf(place)), nameOf(place), target], end);
      },
    },
  },
  // Requests for files by user and by path.
  {
    backfill: {
      name: "requests for files",
      prefix: ["requests"],
      change(writes, { value }) {
        const { hash, userId, place } = value as Pick<InlineShare, "hash" | "userId" | "place">;
        return writes.set(["user_requests", userId, hash], null)
          .set(["request_places", ...digestsOf(place), hash], null);
      },
    },
  },
  // The members of groups.
  {
    backfill: {
      name: "members of groups",
      prefix: ["users"],
      change(writes, { value }) {
        const { id, groups = [] } = value as { id: number; groups?: number[] };
        for (const group of groups) writes.set(["group_members", group, id], null);
        return writes;
      },
    },
  },
  // What is in the trash by file.
  {
    backfill: {
      name: "the trash",
      prefix: ["trash"],
      change(writes, { value }) {
        const { userId, id, path, isVersion } = value as Trashed;
        return writes.set(
          ["trash_files", userId, isVersion ? folderDigest(path) : "deleted", id],
          null,
        );
      },
    },
  },
  // The numbers by which sync clients name shares.
  {
    backfill: {
      name: "numbers of shares",
      prefix: ["shares"],
      change(writes, { value }) {
        const { hash, userId, terms } = value as InlineShare;
        const { users = [], groups = [] } = terms?.audience ?? {};
        const keys = [
          "link",
          ...users.map((id) => `user ${id}`),
          ...groups.map((id) => `group ${id}`),
        ];
        for (const key of keys) {
          writes.set(["share_numbers", userId, numberOf(`${hash} ${key}`), hash], null);
        }
        return writes;
      },
    },
  },
];

/** The target of a share: the same for all shares of one entry by one user. */
function targetOf(userId: number, path: EntryPath, place: EntryPath): string {
  const text = JSON.stringify([userId, path, place]);
  return createHash("sha256").update(text).digest("base64url").slice(0, 16);
}
