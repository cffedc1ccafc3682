import type { Context } from "fresh";
import type { EntryPath } from "../../../../shared/path.ts";
import type { Access } from "../../../core/access/access.ts";
import type { UploadBody } from "../../../files/upload/temporary_file.ts";
import { uploadFile, type UploadOptions } from "../../../files/upload/upload.ts";
import type { BegunBy } from "../../../files/upload/upload_parts.ts";
import type { State } from "../../define.ts";
import type { NotedUpload } from "../../jobs/job_requests.ts";
import { signedInOf } from "../../middleware/sign_in.ts";
import { rightsConfirmed } from "../access_for.ts";
import { assertUnlocked, hooked } from "../hooked.ts";
import { recordUse } from "../place_requests.ts";

/** By what and from where an upload begins that goes on with other requests. */
export function begunBy(ctx: Context<State>): BegunBy {
  const { user: { epoch }, token } = signedInOf(ctx);
  const begun = { address: ctx.state.address, epoch };
  return token ? { ...begun, tokenId: token.id } : begun;
}

/**
 * Writes a file that a request of a user brings, between the commands that are hooked to uploads,
 * and notes it for its undo and among the recent files.
 *
 * @returns the ETag of the file
 * @throws {DomainError} as `uploadFile()` and `hooked()`
 */
export async function writeFile(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  body: UploadBody,
  { formerFiles, note }: Pick<NotedUpload, "formerFiles" | "note">,
  options: UploadOptions,
): Promise<string> {
  const replaces = options.override && access.may("modify");
  const file = () => access.create(path).real;
  const upload = { event: "upload", access, path, file } as const;
  const confirm = rightsConfirmed(
    ctx,
    (now) => replaces ? now.replace(path) : now.create(path),
    () => assertUnlocked(ctx, upload),
  );
  const { etag, place } = await hooked(
    ctx,
    upload,
    () => uploadFile(access, path, body, { ...options, formerFiles, confirm }),
  );
  await note(etag);
  recordUse(ctx, path, "uploaded", place);
  return etag;
}
