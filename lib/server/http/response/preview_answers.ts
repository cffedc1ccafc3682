import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { openContent, statContent } from "../../files/content/open_content.ts";
import { mediaTypeOfFormat, type PreviewFormat, type PreviewSize } from "../../images/preview.ts";
import { PreviewSource } from "../../images/preview_source.ts";
import { acceptedNames } from "../request/accepts.ts";
import { disposition } from "./disposition.ts";
import { notModified } from "./downloads.ts";
import { holdRoom } from "../middleware/heavy_answers.ts";
import { bytesBody } from "./page_stream.ts";
import { sandboxPolicy } from "./sandbox.ts";
import { sendFile } from "./send_file.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/** `max-age` of a preview requested with a cache key, in seconds: a year. */
const lifeWithKey = 31_536_000;

/**
 * Answers with the preview of a picture: in WebP to clients that accept it by name, in JPEG to
 * others. With `k`, a key that the client changes with the file, it may be cached for good;
 * without, it is revalidated each time.
 *
 * @throws DomainError `forbidden`, `not_found`, `not_a_file`; `not_supported` for types without a
 * preview; `throttled`; `busy`; `precondition_failed`
 */
export async function previewAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  size: PreviewSize,
): Promise<Response> {
  const { req, state: { cubby: { previews } } } = ctx;
  let source = openSource({ access, path, size, format: formatFor(req.headers) });
  const unchanged = notModified(req, validatorsOf(source), headersOf(ctx, source), "preview");
  if (unchanged) return unchanged;
  if (req.method === "HEAD") return new Response(null, { headers: headersOf(ctx, source) });

  const { user } = signedInOf(ctx);
  const preview = await previews.make(source, String(user.id), req.signal);
  await holdRoom(ctx, preview.bytes.length);
  source = preview.source;
  const headers = headersOf(ctx, source, preview.format);
  return new Response(bytesBody(preview.bytes, headers), { headers });
}

/**
 * Answers with the picture itself where previews are disabled, as File Browser does, so that
 * clients that request one still show the picture. It is sandboxed, like any file.
 *
 * @throws DomainError as {@link previewAnswer}
 */
export async function originalAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  size: PreviewSize,
): Promise<Response> {
  openSource({ access, path, size, format: "jpeg" });
  const content = ctx.req.method === "HEAD"
    ? statContent(access, path)
    : await openContent(access, path);
  return await sendFile(ctx.req, content, { inline: true });
}

/** Opens the source of a preview; a folder is refused like any type without a preview. */
function openSource(request: ConstructorParameters<typeof PreviewSource>[0]): PreviewSource {
  try {
    return new PreviewSource(request);
  } catch (error) {
    const isFolder = error instanceof DomainError && error.code === "is_folder";
    if (!isFolder) throw error;
    const message = `Cannot make a preview of "${request.path}": it is a folder`;
    throw new DomainError("not_supported", message);
  }
}

function formatFor(headers: Headers): PreviewFormat {
  return acceptedNames(headers.get("accept")).includes("image/webp") ? "webp" : "jpeg";
}

function validatorsOf({ key, modified }: PreviewSource) {
  return { etag: `"${key.slice(0, 32)}"`, modified };
}

/** @param format of the preview; by default the requested one */
function headersOf(
  ctx: Context<State>,
  source: PreviewSource,
  format: PreviewFormat = source.request.format,
): Headers {
  const { etag, modified } = validatorsOf(source);
  const mediaType = mediaTypeOfFormat(format);
  const isKeyed = Boolean(ctx.url.searchParams.get("k"));
  const name = source.name.replace(/\.[^.]*$/, "") || "preview";
  return new Headers({
    "cache-control": isKeyed ? `private, immutable, max-age=${lifeWithKey}` : "private, no-cache",
    "content-disposition": disposition("inline", `${name}.${format}`),
    "content-security-policy": sandboxPolicy(mediaType),
    "content-type": mediaType,
    "etag": etag,
    "last-modified": modified.toUTCString(),
    "vary": "Accept",
    "x-content-type-options": "nosniff",
  });
}
