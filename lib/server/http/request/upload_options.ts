import type { UploadOptions } from "../../files/upload/upload.ts";

/** The options of an upload that a request's headers give. */
export function uploadOptions(req: Request): Omit<UploadOptions, "override"> {
  const length = req.headers.get("content-length");
  return {
    ifMatch: req.headers.get("if-match") ?? undefined,
    expectedLength: length === null ? undefined : Number(length),
    signal: req.signal,
  };
}
