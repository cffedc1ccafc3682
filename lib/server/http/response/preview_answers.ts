import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import { childrenOf, type EntryPath, nameOf } from "../../../shared/path.ts";
import type { State } from "../define.ts";
import { DomainError } from "../../../shared/errors.ts";
import { readTextPreview } from "../../files/content/first_text.ts";
import { openContent, statContent } from "../../files/content/open_content.ts";
import {
  mediaTypeOfFormat,
  type PreviewFormat,
  type PreviewSize,
  thumbWith,
} from "../../features/previews/images/preview.ts";
import {
  type PreviewRequest,
  PreviewSource,
} from "../../features/previews/images/preview_source.ts";
import { UnconvertedError } from "../../features/previews/papers/papers.ts";
import type { PreviewMethod } from "../../features/previews/images/preview_method.ts";
import { acceptedNames } from "../request/accepts.ts";
import { flagOption, type PreviewKind, sideOption } from "../request/query.ts";
import { disposition, notModified, refuseAsCode, sandboxPolicy } from "./downloads.ts";
import { reserveMemory } from "../middleware/heavy_answers.ts";
import { bytesBody } from "./page_stream.ts";
import { paperAnswer } from "./paper_answer.ts";
import { sendFile } from "./send_file.ts";
import { extensionOf, type FileType } from "../../files/content/types.ts";
import { maxOnCover } from "../../features/previews/images/folder_cover.ts";
import { coverKey } from "../../features/previews/images/preview_key.ts";
import type { Preview } from "../../features/previews/images/previews.ts";

/** `max-age` of a preview requested with a cache key, in seconds: a year. */
const lifeWithKey = 31_536_000;

/** The preview that an address asks for. */
export interface RequestedPreview {
  kind: PreviewKind;
  /** In place of the one that the query asks for. */
  size?: PreviewSize;
  /** Key of the user, or of all visitors of one, for fairness between them. */
  waitsAs: string;
  /**
   * Takes the answer where previews are disabled and it is the file itself; to count it, in a share
   * with a limit on downloads.
   */
  original?: (answer: Response) => Promise<Response>;
  /** A client of File Browser asks, which gets some pictures as they are, not resized. */
  asFileBrowser?: boolean;
}

/** Pictures that File Browser cannot resize, or that would stop moving. */
const neverResized = new Set([".gif", ".heic", ".heif", ".svg"]);

/** Pictures that the viewer in File Browser's front end decodes itself: it takes no other format. */
const decodedByViewer = new Set([".cr2", ".dng", ".nef", ".tif", ".tiff"]);

/** Whether File Browser answers a request for a preview with the picture itself. */
function isSentWhole(path: EntryPath, kind: PreviewKind): boolean {
  const extension = extensionOf(nameOf(path));
  return neverResized.has(extension) || (kind === "big" && decodedByViewer.has(extension));
}

/**
 * Answers with the preview that a request asks for. With `optional=true` there may be none (204):
 * a page that shows whatever has a picture then logs no errors.
 *
 * @param access of a user, or of the visitor of a share
 * @throws DomainError `invalid_option`; as {@link previewAnswer}
 */
export async function sizedPreviewAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  requested: RequestedPreview,
): Promise<Response> {
  refuseAsCode(ctx.req);
  try {
    return await anyPreviewAnswer(ctx, access, path, requested);
  } catch (error) {
    const isNone = error instanceof DomainError && error.code === "not_supported";
    const text = isNone ? await textAnswer(ctx, access, path, requested) : null;
    if (text) return text;
    if (!isNone || !flagOption(ctx.url.searchParams, "optional")) throw error;
    const headers = new Headers();
    if (error instanceof UnconvertedError) headers.set("preview-refusal", error.flaw);
    return new Response(null, { status: 204, headers });
  }
}

/**
 * Answers with the beginning of a text, to clients that accept that by name; null for others, for
 * what is no text, and in shares with a limit on downloads, as this is none that counts.
 */
async function textAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  { kind, original }: RequestedPreview,
): Promise<Response | null> {
  const { disableThumbnails } = ctx.state.cubby.config;
  const isAsked = acceptedNames(ctx.req.headers.get("accept")).includes("text/plain");
  if (!isAsked || kind !== "thumb" || original || disableThumbnails) return null;
  if (access.stat(path).info.isDirectory) return null;
  const { name, etag, modified } = statContent(access, path);
  const headers = new Headers({
    "cache-control": cacheControlOf(ctx),
    "content-disposition": disposition("inline", `${name}.txt`),
    "content-security-policy": sandboxPolicy("text/plain"),
    "content-type": "text/plain; charset=utf-8",
    "etag": etag,
    "last-modified": modified.toUTCString(),
    "vary": "Accept",
    "x-content-type-options": "nosniff",
  });
  const text = await readTextPreview(access, path);
  if (text === null) return null;
  const unchanged = notModified(ctx.req, { etag, modified }, headers, "preview");
  return unchanged ?? new Response(ctx.req.method === "HEAD" ? null : text, { headers });
}

/** Answers with a preview, a PDF, the cover of a folder, or the picture itself without previews. */
async function anyPreviewAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  { kind, size: given, waitsAs, original, asFileBrowser = false }: RequestedPreview,
): Promise<Response> {
  const { previews, config } = ctx.state.cubby;
  const query = ctx.url.searchParams;
  if (kind === "pdf") {
    return await paperAnswer(ctx, access, path, waitsAs).catch((error) => {
      throw isOfFolder(error) ? folderError(path) : error;
    });
  }
  const size = given ??
    (kind === "thumb" ? thumbWith(sideOption(query), flagOption(query, "whole")) : kind);
  const isOff = kind === "thumb" ? config.disableThumbnails : config.disablePreviewResize;
  if (isOff || (asFileBrowser && isSentWhole(path, kind))) {
    const answer = await originalAnswer(ctx, access, path, size);
    return await original?.(answer) ?? answer;
  }
  try {
    const can = (method: PreviewMethod) => previews.can(method);
    return await previewAnswer(ctx, { access, path, size, can }, waitsAs);
  } catch (error) {
    if (kind === "thumb" && isOfFolder(error)) {
      return await coverAnswer(
        ctx,
        { access, path, size, format: formatFor(ctx.req.headers) },
        waitsAs,
      );
    }
    throw isOfFolder(error) ? folderError(path) : error;
  }
}

/**
 * Answers with the preview of a picture: in WebP to clients that accept it by name, in JPEG to
 * others. With `k`, a key that the client changes with the file, it may be cached for good;
 * without, it is revalidated each time.
 *
 * @throws DomainError `forbidden`, `not_found`, `not_a_file`; `not_supported` for types without a
 * preview; `throttled`; `busy`; `precondition_failed`
 */
async function previewAnswer(
  ctx: Context<State>,
  wanted: Omit<PreviewRequest, "format">,
  waitsAs: string,
): Promise<Response> {
  const { req, state: { cubby: { previews } } } = ctx;
  const source = new PreviewSource({ ...wanted, format: formatFor(req.headers) });
  let headers = headersOf(ctx, source);
  const unchanged = notModified(req, validatorsOf(source), headers, "preview");
  if (unchanged) return unchanged;
  if (req.method === "HEAD") return new Response(null, { headers });

  const preview = await previews.make(source, waitsAs, req.signal);
  await reserveMemory(ctx, preview.bytes.length);
  const isAsked = preview.source === source && preview.format === source.request.format;
  if (!isAsked) headers = headersOf(ctx, preview.source, preview.format);
  return new Response(bytesBody(preview.bytes, headers), { headers });
}

/**
 * Answers with the picture itself, as File Browser does, where previews are disabled or its clients
 * want the file: they then still show the picture. It is sandboxed, like any file.
 *
 * @throws DomainError as {@link previewAnswer}
 */
async function originalAnswer(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
  size: PreviewSize,
): Promise<Response> {
  try {
    new PreviewSource({ access, path, size, format: "jpeg", can: isPicture });
  } catch (error) {
    throw isOfFolder(error) ? folderError(path) : error;
  }
  const content = ctx.req.method === "HEAD"
    ? statContent(access, path)
    : await openContent(access, path);
  return await sendFile(ctx.req, content, { inline: true });
}

/** Browsers show pictures themselves; a video is no preview of itself. */
function isPicture(method: PreviewMethod): boolean {
  return method === "picture" || method === "raw";
}

function isOfFolder(error: unknown): boolean {
  return error instanceof DomainError && error.code === "is_folder";
}

/** A folder is refused like any type without a preview. */
function folderError(path: EntryPath): DomainError {
  return new DomainError("not_supported", `Cannot make a preview of "${path}": it is a folder`);
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
  const name = source.name.replace(/\.[^.]*$/, "") || "preview";
  return new Headers({
    "cache-control": cacheControlOf(ctx),
    "content-disposition": disposition("inline", `${name}.${format}`),
    "content-security-policy": sandboxPolicy(mediaType),
    "content-type": mediaType,
    "etag": etag,
    "last-modified": modified.toUTCString(),
    "vary": "Accept",
    "x-content-type-options": "nosniff",
  });
}

/** With a key that changes with the file, a preview may be kept. */
function cacheControlOf({ url }: Context<State>): string {
  const isKeyed = Boolean(url.searchParams.get("k"));
  return isKeyed ? `private, immutable, max-age=${lifeWithKey}` : "private, no-cache";
}

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
async function coverAnswer(
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
