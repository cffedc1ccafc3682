import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { type EntryPath, parsePath, parseUrlPath } from "../../../shared/path.ts";
import { thumbSides } from "../../../shared/schemas/choices/choices.ts";
import { type PreviewSize, thumbWith } from "../../features/previews/images/preview.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { sizedPreviewAnswer } from "../response/preview_answers.ts";
import { pathOfId } from "./client_requests.ts";

/** A side of a preview that a client asks for, in pixels. */
const side = /^\d{1,5}$/;

/** The preview of the file with the id `?fileId=`, in the size `?x=&y=`; a square with `a=0`. */
export async function previewById(ctx: Context<State>): Promise<Response> {
  const query = ctx.url.searchParams;
  const path = await pathOfId(ctx, accessFor(ctx), query.get("fileId") ?? "");
  if (path === null) throw noPreviewError("no file has this id");
  return await previewOf(ctx, path, query.get("x"), query.get("y"), isSquare(query));
}

/** The preview of the file `?file=`. */
export async function previewByPath(ctx: Context<State>): Promise<Response> {
  const query = ctx.url.searchParams;
  const { path } = parsePath(query.get("file") ?? "");
  return await previewOf(ctx, path, query.get("x"), query.get("y"), isSquare(query));
}

/** The preview of the file at the end of the address, in the size before it: a square. */
export async function thumbnailByPath(ctx: Context<State>): Promise<Response> {
  const address = ctx.url.pathname.slice(ctx.config.basePath.length);
  const [, x = "", y = "", rest = ""] = /\/thumbnail\/(\d+)\/(\d+)(\/.+)$/.exec(address) ?? [];
  return await previewOf(ctx, parseUrlPath(rest).path, x, y, true);
}

/** `a=1` keeps the ratio of the picture, and `mode=cover` fills the square. */
function isSquare(query: URLSearchParams): boolean {
  return !/^(?:1|true)$/.test(query.get("a") ?? "0") || query.get("mode") === "cover";
}

async function previewOf(
  ctx: Context<State>,
  path: EntryPath,
  x: string | null,
  y: string | null,
  square: boolean,
): Promise<Response> {
  const [width, height] = [x ?? "32", y ?? "32"];
  if (!side.test(width) || !side.test(height) || Number(width) * Number(height) === 0) {
    throw new DomainError("invalid_option", "Cannot make a preview: expected a size in pixels");
  }
  if (ctx.state.cubby.config.disableThumbnails) throw noPreviewError("previews are disabled");
  const size = sizeFor(Math.max(Number(width), Number(height)), square);
  const waitsAs = String(signedInOf(ctx).user.id);
  const kind = size === "big" ? "big" : "thumb";
  try {
    return await sizedPreviewAnswer(ctx, accessFor(ctx), path, { kind, size, waitsAs });
  } catch (error) {
    const isNone = error instanceof DomainError && error.code === "not_supported";
    throw isNone ? new DomainError("not_found", error.message) : error;
  }
}

/** The smallest of our sizes that is no smaller than what is asked for. */
function sizeFor(pixels: number, isSquare: boolean): PreviewSize {
  const fitting = thumbSides.find((each) => each >= pixels);
  return fitting === undefined ? "big" : thumbWith(fitting, !isSquare);
}

/** Clients show an icon then. */
function noPreviewError(reason: string): DomainError {
  return new DomainError("not_found", `Cannot make a preview: ${reason}`);
}
