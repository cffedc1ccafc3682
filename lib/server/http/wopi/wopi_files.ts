import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { childOf, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import { serverPath } from "../../features/audit/server_path.ts";
import { type HookSubject, transferHooks, withHooks } from "../../features/commands/hooks.ts";
import { checkFileInfo, versionOf } from "../../features/office/check_file_info.ts";
import { fromUtf7 } from "../../features/office/utf7.ts";
import { WopiRefusal } from "../../features/office/wopi_refusal.ts";
import { contentInfo, openContent } from "../../files/content/open_content.ts";
import { moveEntry } from "../../files/transfer/start_transfer.ts";
import { saveFile } from "../../files/upload/upload.ts";
import type { State } from "../define.ts";
import { recordActivity, recordDownload } from "../request/activities.ts";
import { recordUse } from "../request/place_requests.ts";
import { uploadOptions } from "../request/transfer_options.ts";
import { jsonAnswer } from "../response/answers.ts";
import { sendFile } from "../response/send_file.ts";
import { admit, isAllowed, visitDocument, type WopiVisit } from "./wopi_visit.ts";

type Ctx = Context<State>;

/** CheckFileInfo: what the document is, and what the one who has it open may do. */
export async function describeDocument(ctx: Ctx): Promise<Response> {
  const visit = await visitDocument(ctx);
  const { access, editing, grant, path, share, user, isViewOnly } = visit;
  const { name, info } = access.read(path);
  return jsonAnswer(checkFileInfo({
    file: contentInfo(name, info),
    user: user
      ? { id: `user-${user.id}`, name: user.username }
      : { id: `visitor-${grant.visitor?.id}`, name: grant.visitor?.name ?? "" },
    isAnonymous: user === undefined,
    origin: grant.origin,
    mayEdit: editing !== null,
    mayRename: editing !== null && isAllowed(() => editing.rename(path)),
    mayShare: share === undefined && isAllowed(() => access.share(path)),
    isViewOnly,
  }));
}

/** GetFile: the content, as it is on the disk. */
export async function readDocument(ctx: Ctx): Promise<Response> {
  const visit = await visitDocument(ctx);
  const { access, editing, document, grant, office, path, share } = visit;
  const content = await openContent(access, path);
  const max = ctx.req.headers.get("x-wopi-maxexpectedsize") ?? "";
  if (/^\d+$/.test(max) && content.size > Number(max)) {
    content.file.close();
    throw new WopiRefusal("too_large", `Cannot open "${content.name}": it is over ${max} bytes`);
  }
  const answer = await sendFile(ctx.req, content, { inline: false });
  if (share) recordActivity(ctx, "share_visit", activityOf(visit));
  else recordDownload(ctx, access, path);
  if (editing && document.etag !== content.etag) {
    await office.documents.note(grant.document, content.etag);
  }
  answer.headers.set("x-wopi-itemversion", versionOf(content));
  return answer;
}

/**
 * PutFile: a save like any other: whole or not at all, the former content kept as a version, within
 * quota, rules and hooks. Rights, the lock and the state of the file are asked again when the body
 * has come.
 */
export async function saveDocument(ctx: Ctx): Promise<Response> {
  const override = overrideOf(ctx);
  if (override !== "PUT") throw noOperationError(override);
  const visit = await visitDocument(ctx);
  const { document, grant, office, owner, path } = visit;
  const editing = editingOf(visit);
  await assertWritable(ctx, visit);
  const confirm = async () => {
    const now = await admit(ctx, grant);
    if (now.document.place !== document.place || now.path !== path) throw movedError();
    await assertWritable(ctx, now);
  };
  const formerFiles = ctx.state.cubby.trash.formerFilesOf(owner.id);
  const options = { ...uploadOptions(ctx.req), formerFiles, confirm };
  const file = () => editing.modify(path).real;
  const save = { ...subjectOf(ctx, visit), access: editing, path, file };
  const { etag, place } = await withHooks(
    ctx.state.cubby,
    "save",
    save,
    () => saveFile(editing, path, ctx.req, options),
  );
  await office.documents.note(grant.document, etag);
  if (!visit.share) recordUse(ctx, path, "changed", place);
  const saved = visit.access.stat(path);
  const info = contentInfo(saved.name, saved.info);
  const headers = { "x-wopi-itemversion": etag === info.etag ? versionOf(info) : "" };
  return jsonAnswer({ LastModifiedTime: info.modified.toISOString() }, { headers });
}

/** The operations of a document, by the header `X-WOPI-Override`. */
const operations: Record<string, (ctx: Ctx, visit: WopiVisit) => Promise<Response>> = {
  LOCK: lock,
  GET_LOCK: getLock,
  REFRESH_LOCK: async (ctx, visit) => {
    editingOf(visit);
    await visit.office.locks.refresh(visit.document.place, lockOf(ctx));
    return done(visit);
  },
  UNLOCK: async (ctx, visit) => {
    editingOf(visit);
    await visit.office.locks.unlock(visit.document.place, lockOf(ctx));
    return done(visit);
  },
  RENAME_FILE: rename,
};

/**
 * The operations on a document. There is none that makes another file, such as PutRelativeFile: an
 * office server writes where it was let in, and nowhere else.
 *
 * @throws WopiRefusal `no_operation`
 */
export async function operateOnDocument(ctx: Ctx): Promise<Response> {
  const visit = await visitDocument(ctx);
  const override = overrideOf(ctx);
  const operation = Object.hasOwn(operations, override) ? operations[override] : undefined;
  if (!operation) throw noOperationError(override);
  return await operation(ctx, visit);
}

async function lock(ctx: Ctx, visit: WopiVisit): Promise<Response> {
  const { document: { place }, office: { locks }, owner, user, grant } = visit;
  editingOf(visit);
  const former = ctx.req.headers.get("x-wopi-oldlock");
  if (former) await locks.relock(place, former, lockOf(ctx));
  else {
    const name = user?.username ?? grant.visitor?.name ?? "";
    await locks.lock(place, lockOf(ctx), { userId: owner.id, name });
  }
  return done(visit);
}

async function getLock(_: Ctx, { document, office }: WopiVisit): Promise<Response> {
  const lock = await office.locks.current(document.place);
  return new Response(null, { headers: { "x-wopi-lock": lock } });
}

/** RenameFile: the name comes without its extension, which stays. A name that is taken gets a number. */
async function rename(ctx: Ctx, visit: WopiVisit): Promise<Response> {
  const { document: { place }, office: { locks }, path } = visit;
  const editing = editingOf(visit);
  editing.rename(path);
  const [, extension = ""] = /.(\.[^.]*)$/s.exec(nameOf(path)) ?? [];
  const name = fromUtf7(ctx.req.headers.get("x-wopi-requestedname") ?? "").trim();
  const to = childOf(parentOf(path), fileName(name, extension));
  const action = `Cannot rename "${nameOf(path)}"`;
  await locks.assertHeld(place, lockOf(ctx), { isFree: true, isMember: true }, action);
  if (to === path) return jsonAnswer({ Name: name });
  const { observers, transferWorker } = ctx.state.cubby;
  const options = { override: false, rename: true, observers, signal: ctx.req.signal };
  const { event, ...about } = transferHooks(editing, "move", path, to);
  const arrived = await withHooks(
    ctx.state.cubby,
    event,
    { ...about, ...subjectOf(ctx, visit) },
    () => moveEntry(editing, transferWorker, path, to, options),
  );
  const renamed = nameOf(arrived);
  return jsonAnswer({ Name: renamed.slice(0, renamed.length - extension.length) });
}

/** @throws WopiRefusal `illegal_name` for what is no name of a single file */
function fileName(name: string, extension: string): string {
  const isName = name !== "" && !/[/\0]/.test(name) && !/^\.{1,2}$/.test(name);
  if (isName) return nameOf(parsePath(`/${name}${extension}`).path);
  throw new WopiRefusal("illegal_name", `Cannot rename to "${name}": no file can have this name`);
}

/** @throws DomainError `forbidden` for one who only views */
function editingOf({ editing, document }: WopiVisit) {
  if (editing) return editing;
  throw new DomainError(
    "forbidden",
    `Cannot change "${nameOf(document.place)}": you may only view it`,
  );
}

/**
 * Refuses a save that would replace what another program has written.
 *
 * @throws WopiRefusal `lock_mismatch`, `changed`; DavRefusal `locked`; DomainError `forbidden`
 */
async function assertWritable(ctx: Ctx, visit: WopiVisit): Promise<void> {
  const { document: { place, etag }, office, path, settings } = visit;
  const { name, info } = editingOf(visit).stat(path);
  const file = contentInfo(name, info);
  const action = `Cannot save "${name}"`;
  await office.locks.assertHeld(place, lockOf(ctx), { isFree: file.size === 0 }, action);
  const { headers } = ctx.req;
  // Collabora Online names the state that it has edited, or leaves that out when its user has said
  // that the other change may be replaced.
  const collabora = ["cool", "lool"].find((kind) => headers.has(`x-${kind}-wopi-isautosave`));
  const known = headers.get("x-cool-wopi-timestamp") ?? headers.get("x-lool-wopi-timestamp");
  const isChanged = known !== null
    ? Date.parse(known) !== file.modified.getTime()
    : etag !== "" && etag !== file.etag;
  // The former content is kept as a version, for clients that cannot ask their users.
  const isReplaced = known === null && (collabora !== undefined || settings.trash.versions);
  if (!isChanged || isReplaced) return;
  throw new WopiRefusal("changed", `${action}: another program has changed the file`);
}

/** Who changes what, for hooks and the activity log. The locks are those of the office server. */
function subjectOf(
  { state }: Ctx,
  { owner, settings, share, user }: WopiVisit,
): Pick<HookSubject, "signedIn" | "address" | "by" | "share" | "isLockChecked"> {
  return {
    signedIn: { user: owner, settings },
    address: state.address,
    isLockChecked: true,
    ...user && { by: user },
    ...share && { share: share.hash },
  };
}

function activityOf({ access, path, settings, share }: WopiVisit) {
  return { path: serverPath(access, path), settings, ...share && { subject: share.hash } };
}

function lockOf({ req }: Ctx): string {
  return req.headers.get("x-wopi-lock") ?? "";
}

function overrideOf({ req }: Ctx): string {
  return req.headers.get("x-wopi-override") ?? "";
}

function done({ access, path }: WopiVisit): Response {
  const { name, info } = access.read(path);
  const headers = { "x-wopi-itemversion": versionOf(contentInfo(name, info)) };
  return new Response(null, { headers });
}

function noOperationError(override: string): WopiRefusal {
  return new WopiRefusal("no_operation", `Cannot do "${override}": this server does not have it`);
}

function movedError(): WopiRefusal {
  return new WopiRefusal("changed", "Cannot save the document: it was renamed while it was sent");
}
