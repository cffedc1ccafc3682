import type { EntryPath } from "../../../../shared/path.ts";
import type { RequestInfo, RequestLimits } from "../../../../shared/schemas/request.ts";
import { Collection, Index, movedWith, PlaceIndex } from "../../../core/kv/collection.ts";
import { hasExpired, type Share } from "../shares/share.ts";

/** A request for files as the store holds it: a link by which visitors fill a folder. */
export interface FileRequest
  extends Pick<Share, "hash" | "userId" | "path" | "place" | "expire" | "passwordHash"> {
  limits: RequestLimits;
  /** Counts the changes: visitors' tokens from before one are void. */
  edition: number;
}

/** The index of requests by user: empty values. */
export const requestsByUser = new Index<FileRequest>(
  "user_requests",
  ({ userId }, hash) => [[userId, hash]],
);

/** The index of requests by path: empty values. */
export const requestsByPlace = new PlaceIndex<FileRequest>(
  "request_places",
  ({ place }) => [place],
);

/** A request for files by its hash, at most 24 KiB: two paths, a bcrypt hash, a note and limits. */
export const requestRecords = new Collection<FileRequest>("requests", {
  indexes: [requestsByUser, requestsByPlace],
  owned: ["request_uses"],
  expires: hasExpired,
  follows: { moved: movedWith },
});

/** The files that a request has received. */
export interface RequestUse {
  files: number;
  bytes: number;
  /** When the last file arrived, in seconds since 1970; 0 for never. */
  last: number;
}

/** The limits of a request without any. */
export const noLimits: RequestLimits = {
  title: "",
  note: "",
  maxFiles: 0,
  maxFileSize: 0,
  maxTotalSize: 0,
  kinds: [],
};

/**
 * A request as its owner and administrators see it.
 *
 * @param path in the owner's scope
 */
export function toRequestInfo(
  request: FileRequest,
  path: EntryPath,
  { files, bytes, last }: RequestUse,
): RequestInfo {
  const { hash, userId, expire, passwordHash, limits } = request;
  const hasPassword = passwordHash !== null;
  return {
    ...{ hash, path, userID: userId, expire, hasPassword },
    ...limits,
    ...{ files, bytes, lastReceived: last },
  };
}

/** Whether as many files have come as are taken. */
export function isFull({ limits }: FileRequest, { files }: RequestUse): boolean {
  return limits.maxFiles !== 0 && files >= limits.maxFiles;
}
