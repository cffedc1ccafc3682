import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { State } from "../../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { openContent, statContent } from "../../files/content/open_content.ts";
import { mediaTypeOfFormat, type PreviewFormat, type PreviewSize } from "../../images/preview.ts";
import { PreviewSource } from "../../images/preview_source.ts";
import { disposition } from "./disposition.ts";
import { holdRoom } from "../middleware/heavy_answers.ts";
import { bytesBody } from "./page_stream.ts";
import { judge } from "../request/preconditions.ts";
import { sandboxPolicy } from "./sandbox.ts";
import { sendFile } from "./send_file.ts";
import { signedInOf } from "../middleware/sign_in.ts";

/** How long a browser may keep what it asked for by a key of its own, in seconds: a year. */
const lifeWithKey = 31_536_000;

/**
 * Answers with the preview of a picture: in WebP to those who accept it by name, in JPEG to others.
 * With `k`, a key that the client changes with the file, it may be kept for good; without, it is
 * asked for again each time, mostly to be told that it is the same.
 *
 * @throws DomainError `forbidden`, `not_found`, `not_a_file`; `not_supported` for what there is no
 * preview of; `throttled`; `busy`; `precondition_failed`
 */
export async function previewAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  size: PreviewSize,
): Promise<Response> {
  const { req, state: { cubby: { previews } } } = ctx;
  let source = look({ access, path, size, format: formatFor(req.headers) });
  const verdict = judge(req.headers, validatorsOf(source));
  if (verdict === "failed") {
    throw new DomainError("precondition_failed", "Cannot send the preview: it is another by now");
  }
  if (verdict === "not_modified") {
    return new Response(null, { status: 304, headers: headersOf(ctx, source) });
  }
  if (req.method === "HEAD") return new Response(null, { headers: headersOf(ctx, source) });

  const { user } = signedInOf(ctx);
  const preview = await previews.make(source, String(user.id), req.signal);
  await holdRoom(ctx, preview.bytes.length);
  source = preview.source;
  const headers = headersOf(ctx, source, preview.format);
  return new Response(bytesBody(preview.bytes, headers), { headers });
}

/**
 * Answers with the picture itself where previews are switched off, as File Browser does: clients
 * that ask all the same show the right picture. It is shown in its sandbox, like any file.
 *
 * @throws DomainError as {@link previewAnswer}
 */
export async function originalAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  size: PreviewSize,
): Promise<Response> {
  look({ access, path, size, format: "jpeg" });
  const content = ctx.req.method === "HEAD"
    ? statContent(access, path)
    : await openContent(access, path);
  return await sendFile(ctx.req, content, { inline: true });
}

/** A folder is one more thing that there is no preview of. */
function look(request: ConstructorParameters<typeof PreviewSource>[0]): PreviewSource {
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
  const accepted = (headers.get("accept") ?? "").toLowerCase();
  return /(?:^|,)\s*image\/webp\s*(?!\s*;\s*q=0(?:\.0*)?\s*(?:,|$))(?:[,;]|$)/.test(accepted)
    ? "webp"
    : "jpeg";
}

function validatorsOf({ key, modified }: PreviewSource) {
  return { etag: `"${key.slice(0, 32)}"`, modified };
}

/** @param format the one that it became; by default the one that it was asked for */
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
