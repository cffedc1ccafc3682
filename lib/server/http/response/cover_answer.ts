import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import { childrenOf, type EntryPath } from "../../../shared/path.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import type { FileType } from "../../files/content/types.ts";
import { maxOnCover } from "../../features/previews/images/folder_cover.ts";
import {
  mediaTypeOfFormat,
  type PreviewFormat,
  type PreviewSize,
} from "../../features/previews/images/preview.ts";
import { coverKey } from "../../features/previews/images/preview_key.ts";
import { PreviewSource } from "../../features/previews/images/preview_source.ts";
import type { Preview } from "../../features/previews/images/previews.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { disposition } from "./disposition.ts";
import { notModified } from "./downloads.ts";
import { bytesBody } from "./page_stream.ts";
import { sandboxPolicy } from "./sandbox.ts";

/** Pictures that are tried for a cover: some may be broken. */
const maxTried = 12;

/** `max-age` of a cover, in seconds: it changes with the pictures in the folder. */
const lifeSeconds = 60;

/** The wanted cover, and its viewer. */
interface CoverRequest {
  access: Access;
  path: EntryPath;
  size: PreviewSize;
  format: PreviewFormat;
}

/**
 * Answers with the cover of a folder: its first pictures, of those that the viewer may see.
 *
 * @throws DomainError `forbidden` without the permission to download, `not_found`; `not_supported`
 * without pictures; `throttled`; `busy`; `precondition_failed`
 */
export async function coverAnswer(
  ctx: Context<State>,
  request: CoverRequest,
  waitsAs: string,
): Promise<Response> {
  const { req, state: { cubby: { previews } } } = ctx;
  const { access, path, size, format } = request;
  const info = access.stat(path);
  access.need(`Cannot make a preview of "${path}"`, "download");
  const pictures = await firstPictures(ctx, request, waitsAs);
  if (pictures.length === 0) {
    const message = `Cannot make a preview of "${path}": it is a folder without pictures`;
    throw new DomainError("not_supported", message);
  }
  const key = coverKey(pictures.map(({ source }) => source.key), size, format);
  const times = pictures.map(({ source }) => source.modified.getTime());
  const headers = new Headers({
    "cache-control": `private, max-age=${lifeSeconds}`,
    "content-security-policy": sandboxPolicy(mediaTypeOfFormat(format)),
    "etag": `"${key.slice(0, 32)}"`,
    "last-modified": new Date(Math.max(...times)).toUTCString(),
    "vary": "Accept",
    "x-content-type-options": "nosniff",
  });
  const validators = { etag: `"${key.slice(0, 32)}"`, modified: new Date(Math.max(...times)) };
  const unchanged = notModified(req, validators, headers, "preview");
  if (unchanged) return unchanged;

  const cover = await previews.makeCover({ pictures, size, format }, waitsAs, req.signal);
  headers.set("content-type", mediaTypeOfFormat(cover.format));
  headers.set(
    "content-disposition",
    disposition("inline", `${info.name || "cover"}.${cover.format}`),
  );
  if (req.method === "HEAD") return new Response(null, { headers });
  await reserveMemory(ctx, cover.bytes.length);
  return new Response(bytesBody(cover.bytes, headers), { headers });
}

/** Small thumbnails of the first pictures that have one; the others are passed over. */
async function firstPictures(
  ctx: Context<State>,
  { access, path, format }: CoverRequest,
  waitsAs: string,
): Promise<Preview[]> {
  const { previews, listingWorker } = ctx.state.cubby;
  const { signal } = ctx.req;
  const types: FileType[] = previews.can("poster") ? ["image", "video"] : ["image"];
  const args = { access, path, types, max: maxTried };
  const names = await listingWorker.firstOfTypes(args, { signal });
  const found: Preview[] = [];
  for (const at of names.map(childrenOf(path))) {
    if (found.length === maxOnCover) break;
    try {
      const can = previews.can.bind(previews);
      const source = new PreviewSource({ access, path: at, size: "thumb", format, can });
      found.push(await previews.make(source, waitsAs, signal));
    } catch (error) {
      if (!(error instanceof DomainError) || error.code === "throttled") throw error;
    }
  }
  return found;
}
