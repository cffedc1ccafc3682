import { headerNamed } from "../headers.ts";
import type { RequestBody } from "../types.ts";

/** The headers of an unfinished upload. */
export const uploadState = {
  "Upload-Offset": headerNamed("UploadOffset"),
  "Upload-Length": headerNamed("UploadLength"),
  "Upload-Expires": headerNamed("UploadExpires"),
};

/** The body of a request that brings bytes of an upload. */
export const uploadPart: RequestBody = {
  description: "The next bytes of the file.",
  content: { "application/offset+octet-stream": {} },
};

/** Why an added file that has all its bytes cannot get its name. */
export const badNaming = ["disk_full", "over_quota", "hook_failed", "locked"] as const;
