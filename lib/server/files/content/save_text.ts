import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { readFormat } from "../../text/format.ts";
import { transcoder } from "../../text/transcode.ts";
import type { Body } from "../upload/temporary_file.ts";
import { saveFile, type UploadOptions } from "../upload/upload.ts";

/**
 * Saves text that comes as UTF-8 in the encoding that the file is kept in, with the same care as
 * `saveFile()`: a character that the encoding does not have leaves the former file untouched.
 *
 * @param encoding as a `Resource` tells it: "windows-1252", "utf-16le-bom"
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
  const format = readFormat(encoding);
  const action = `Cannot save "${path}"`;
  const text = (body ?? emptyBody()).pipeThrough(transcoder(format, action, expectedLength));
  try {
    return await saveFile(access, path, text, options);
  } catch (error) {
    // Refused before a byte was read: what comes is not waited for.
    if (!text.locked) await text.cancel(error).catch(() => {});
    throw error;
  }
}

/** No body at all is text of no characters. */
function emptyBody(): Body {
  return new ReadableStream({ start: (controller) => controller.close() });
}
