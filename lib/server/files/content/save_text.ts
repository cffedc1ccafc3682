import type { Access } from "../../core/access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { parseTextFormat } from "../text/format.ts";
import { minBytes, transcoder } from "../text/transcode.ts";
import type { Body } from "../upload/temporary_file.ts";
import { saveFile, type UploadOptions } from "../upload/upload.ts";

/**
 * Saves a UTF-8 text in the file's encoding, as atomically as `saveFile()`: a character that the
 * encoding lacks leaves the former file untouched.
 *
 * @param encoding as in a `Resource`: "windows-1252", "utf-16le-bom"
 * @throws {DomainError} `invalid_option` for an unknown encoding; `invalid_body` for text that is not
 * UTF-8 or can't be written; and as `saveFile()`
 */
export async function saveText(
  access: Access,
  path: EntryPath,
  body: Body | null,
  encoding: string,
  { expectedLength, ...options }: Omit<UploadOptions, "override">,
): Promise<{ etag: string }> {
  const format = parseTextFormat(encoding);
  const by = transcoder(format, `Cannot save "${path}"`, expectedLength);
  const length = expectedLength ?? 0;
  const conversion = { by, length, minBytes: minBytes(format, length) };
  return await saveFile(access, path, body ?? emptyBody(), { ...options, conversion });
}

/** A missing body is an empty text. */
function emptyBody(): Body {
  return new ReadableStream({ start: (controller) => controller.close() });
}
