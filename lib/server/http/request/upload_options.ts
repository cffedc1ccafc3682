import type { UploadOptions } from "../../files/upload/upload.ts";

/** What a request's headers say about the file it carries. */
export function uploadOptions(req: Request): Omit<UploadOptions, "override"> {
  const length = req.headers.get("content-length");
  return {
    ifMatch: req.headers.get("if-match") ?? undefined,
    expectedLength: length === null ? undefined : Number(length),
    signal: req.signal,
  };
}
