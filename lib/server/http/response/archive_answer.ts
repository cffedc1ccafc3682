import type { Context } from "fresh";
import type { Access } from "../../access/access.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import { type Format, readFormat } from "../../archive/format.ts";
import { readSelection } from "../../archive/selection.ts";
import type { State } from "../../define.ts";
import { holdRoom } from "../middleware/heavy_answers.ts";
import { flagOption } from "../request/query.ts";
import { sendArchive } from "./send_archive.ts";

/**
 * How long somebody waits, in milliseconds, for the length of a stored zip to be found out. Some
 * ten thousand entries are looked at in this time; larger trees are sent at once, without a length.
 */
const patienceMs = 50;

/** What the plan of a stored zip holds, in bytes: for each entry, and while it is made in patience. */
const heldByEntry = 300;
const heldByPlanning = 8 * 1024 * 1024;

/** What can be answered only when the length or the tag is known. */
const needing = ["range", "if-match", "if-none-match"];

/**
 * Answers with a folder, or with what `files=` chooses of it, as an archive of the kind `algo`.
 *
 * A zip is stored unless `compress=true` asks for deflate, which goes against habit for a reason:
 * only of a stored one is it known beforehand where each byte lies. So it has a `Content-Length`
 * and an `ETag`, and a download that broke at 9 of 10 GB goes on from there, as a client asks with
 * `Range`. It is also several times faster to make, and most of what is large, pictures, films and
 * archives, deflates by nothing. Those who want less over a slow line have `tar.zst` and the others.
 *
 * @param rootName what the archive is called that holds several entries, or the root
 * @param posted the values of `files`, where they came in a form. That is asked for as a whole:
 * ranges and conditions have a meaning for GET and HEAD alone
 * @throws DomainError `invalid_option`, `invalid_path`, `forbidden`, `not_found`, `not_a_file`,
 * `not_supported`, `precondition_failed`, `busy`
 */
export async function archiveAnswer(
  ctx: Context<State>,
  access: Access,
  folder: EntryPath,
  rootName: string,
  posted?: string[],
): Promise<Response> {
  const { url, state: { cubby } } = ctx;
  const { signal } = ctx.req;
  const req = posted ? new Request(url, { signal }) : ctx.req;
  const query = url.searchParams;
  const format = readFormat(query.get("algo"));
  const chosen = readSelection(folder, posted ?? query.getAll("files"));
  const deflate = flagOption(query, "compress");
  // Who asks for a part, for the headers alone or for a change wants to know the archive more than
  // to have an early answer.
  const isPatient = req.method === "HEAD" || needing.some((name) => req.headers.has(name));

  await holdRoom(ctx, isPatient ? format.held + heldByPlanning : format.held);
  const archive = await cubby.archives.open(access, {
    ...{ folder, chosen, format, deflate },
    patienceMs: isPatient ? Infinity : patienceMs,
  }, signal);
  try {
    await holdRoom(ctx, format.held + (archive.facts?.entries ?? 0) * heldByEntry);
  } catch (error) {
    archive.download.cancel();
    throw error;
  }
  return sendArchive(req, archive, {
    name: fileName(format, folder, chosen, rootName),
    mediaType: format.mediaType,
    isResumable: format.container === "zip" && !deflate,
  }, (error) => {
    const reason = error instanceof Error ? error.message : String(error);
    cubby.log.line(`Broke off: ${ctx.req.method} ${url.pathname}: ${reason}`);
  });
}

function fileName(
  { extension }: Format,
  folder: EntryPath,
  chosen: EntryPath[] | null,
  rootName: string,
): string {
  const [only, second] = chosen ?? [folder];
  return (only === undefined || second ? rootName : nameOf(only) || rootName) + extension;
}
