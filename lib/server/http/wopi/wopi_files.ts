import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { FALLBACK_LOCALE } from "../../../shared/i18n/locales.ts";
import { childOf, nameOf, parentOf, parsePath } from "../../../shared/path.ts";
import { guestName, shownVisitor } from "../../../shared/visitor_name.ts";
import { isAllowed } from "../../../shared/unless_refused.ts";
import { serverPath } from "../../features/audit/server_path.ts";
import { type HookSubject, transferHooks, withHooks } from "../../features/commands/hooks.ts";
import { checkFileInfo, versionOf } from "../../features/office/check_file_info.ts";
import type { OfficeVisitor } from "../../features/office/access_tokens.ts";
import type { DocumentUser } from "../../features/office/document_locks.ts";
import { type Editor, isChangedSince, isSavedBy } from "../../features/office/documents.ts";
import { fromUtf7 } from "../../features/office/utf7.ts";
import { WopiRefusal } from "../../features/office/wopi_refusal.ts";
import { type ContentInfo, contentInfo, openContent } from "../../files/content/open_content.ts";
import { moveEntry } from "../../files/transfer/start_transfer.ts";
import { saveFile } from "../../files/upload/upload.ts";
import type { State } from "../define.ts";
import { i18nOf } from "../pages/dictionaries.ts";
import { recordActivity, recordDownload } from "../request/activities.ts";
import { recordUse } from "../request/place_requests.ts";
import { uploadOptions } from "../request/transfer_options.ts";
import { admitSave, countChange } from "../request/visitor_limits.ts";
import { jsonAnswer } from "../response/answers.ts";
import { sendFile } from "../response/send_file.ts";
import { SaveNotes } from "./save_notes.ts";
import { admit, visitDocument, type WopiVisit } from "./wopi_visit.ts";

type Ctx = Context<State>;

/** CheckFileInfo: what the document is, and what the one who has it open may do. */
export async function describeDocument(ctx: Ctx): Promise<Response> {
  const visit = await visitDocument(ctx);
  const { access, editing, grant, path, share, user, isViewOnly } = visit;
  const { name, info } = access.read(path);
  return jsonAnswer(checkFileInfo({
    file: contentInfo(name, info),
    user: user ? { id: `user-${user.id}`, name: user.username } : guestOf(grant.visitor),
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
  const { access, editing, grant, office, path, share } = visit;
  const content = await openContent(access, path);
  const max = ctx.req.headers.get("x-wopi-maxexpectedsize") ?? "";
  if (/^\d+$/.test(max) && content.size > Number(max)) {
    content.file.close();
    throw new WopiRefusal("too_large", `Cannot open "${content.name}": it is over ${max} bytes`);
  }
  const answer = await sendFile(ctx.req, content, { inline: false });
  if (share) recordActivity(ctx, "share_visit", activityOf(visit));
  else recordDownload(ctx, access, path);
  if (editing) await office.documents.noteRead(grant.document, grant.id, content.etag);
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
  const { visitor } = grant;
  const from = visitor && visit.share && { address: visitor.address, share: visit.share.hash };
  const onPiece = from && admitSave(from, `Cannot save "${nameOf(path)}"`);
  const { documents } = office;
  const notes = new SaveNotes(ctx.state.cubby.trash.formerFilesOf(owner.id), {
    begin: (etag, now) => documents.noteSaving(grant.document, editorOf(ctx, now), etag),
    end: (etag) => documents.noteSaved(grant.document, editorOf(ctx, visit), etag),
  });
  const confirm = async (etag: () => string) => {
    const now = await admit(ctx, grant);
    if (now.document.place !== document.place || now.path !== path) throw movedError();
    const former = await assertWritable(ctx, now);
    await notes.begin(etag(), now, former.size > 0);
    return former.etag;
  };
  const { expectedLength, signal } = uploadOptions(ctx.req);
  const { formerFiles } = notes;
  const options = { expectedLength, signal, formerFiles, confirm, ...onPiece && { onPiece } };
  const file = () => editing.modify(path).real;
  const save = { ...subjectOf(ctx, visit), access: editing, path, file };
  const { etag, place } = await withHooks(
    ctx.state.cubby,
    "save",
    save,
    () => saveFile(editing, path, ctx.req, options),
  ).catch((error) => {
    const isChanged = error instanceof DomainError && error.code === "precondition_failed" &&
      !(error instanceof WopiRefusal);
    throw isChanged ? changedError(`Cannot save "${nameOf(path)}"`, lockOf(ctx)) : error;
  });
  await notes.end(etag);
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
    await lockAgain(ctx, visit);
    await visit.office.locks.refresh(visit.document.place, lockOf(ctx));
    return done(visit);
  },
  UNLOCK: async (ctx, visit) => {
    editingOf(visit);
    const { document, grant, office } = visit;
    await office.locks.unlock(document.place, lockOf(ctx));
    await office.documents.noteUnlocked(grant.document);
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
  const { document: { place }, grant, office: { documents, locks } } = visit;
  editingOf(visit);
  const former = ctx.req.headers.get("x-wopi-oldlock");
  if (former) {
    await locks.relock(place, former, lockOf(ctx));
    await documents.noteRelocked(grant.document, former, lockOf(ctx));
  } else {
    await locks.lock(place, lockOf(ctx), lockerOf(visit));
    await documents.noteLocked(grant.document, editorOf(ctx, visit), fileOf(visit).etag);
  }
  return done(visit);
}

/**
 * Locks a document again for those who have lost its lock, as after a night in which the office
 * server was away: unless they have unlocked it, and while the file is the one that they work on.
 * Otherwise every save of theirs would be refused, though nothing stands in its way.
 */
async function lockAgain(ctx: Ctx, visit: WopiVisit): Promise<void> {
  const { document, office: { locks } } = visit;
  const lock = lockOf(ctx);
  if (lock === "" || document.lock !== lock || await locks.current(document.place) !== "") return;
  const { etag } = fileOf(visit);
  if (document.etag === etag || isSavedBy(document, lock, etag)) {
    await locks.lock(document.place, lock, lockerOf(visit));
  }
}

async function getLock(_: Ctx, { document: { place }, office }: WopiVisit): Promise<Response> {
  const lock = await office.locks.current(place);
  // A lock of WebDAV has no id that WOPI could tell.
  if (lock === "") await office.locks.assertHeld(place, "", { isFree: true }, "Cannot lock it");
  return new Response(null, { headers: { "x-wopi-lock": lock } });
}

/** RenameFile: the name comes without its extension, which stays. A name that is taken gets a number. */
async function rename(ctx: Ctx, visit: WopiVisit): Promise<Response> {
  const { document: { place }, grant: { visitor }, office: { locks }, path } = visit;
  const editing = editingOf(visit);
  editing.rename(path);
  if (visitor) countChange(visitor.address);
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
  ).catch((error) => {
    // The free name next to one that is taken is the one that it has.
    if (error instanceof DomainError && error.code === "invalid_path") return path;
    throw error;
  });
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
 * Refuses a save that would replace what another program has written: something else than those who
 * save have read, or saved last.
 *
 * @returns the file that the save may replace
 * @throws WopiRefusal `lock_mismatch`, `changed`; DavRefusal `locked`; DomainError `forbidden`
 */
async function assertWritable(ctx: Ctx, visit: WopiVisit): Promise<ContentInfo> {
  const { document, office } = visit;
  editingOf(visit);
  await lockAgain(ctx, visit);
  const file = fileOf(visit);
  const action = `Cannot save "${file.name}"`;
  await office.locks.assertHeld(document.place, lockOf(ctx), { isFree: file.size === 0 }, action);
  const { headers } = ctx.req;
  // The state that was edited, by its time: of Collabora Online always, unless its user has said that
  // the other change may be replaced; of ONLYOFFICE Docs from the second save on.
  const time = headers.get("x-cool-wopi-timestamp") ?? headers.get("x-lool-wopi-timestamp");
  if (time === null && headers.has("x-cool-wopi-isautosave")) return file;
  const isChanged = time === null
    ? isChangedSince(document, editorOf(ctx, visit), file.etag)
    : Date.parse(time) !== file.modified.getTime() && !isSavedBy(document, lockOf(ctx), file.etag);
  if (isChanged) throw changedError(action, await office.locks.current(document.place));
  return file;
}

function fileOf({ access, path }: WopiVisit): ContentInfo {
  const { name, info } = access.stat(path);
  return contentInfo(name, info);
}

/** A visitor, as office servers show one: marked in the language of the visitor's own page. */
function guestOf(visitor: OfficeVisitor | undefined) {
  const { t } = i18nOf(visitor?.locale ?? FALLBACK_LOCALE);
  return { id: `visitor-${visitor?.id}`, name: guestName(t, visitor?.name ?? "") };
}

/** Who locks a document, as programs on WebDAV show it, whose languages are not known. */
function lockerOf({ grant, owner, user }: WopiVisit): DocumentUser {
  return { userId: owner.id, name: user?.username ?? shownVisitor(grant.visitor?.name ?? "") };
}

function editorOf(ctx: Ctx, { grant }: WopiVisit): Editor {
  return { token: grant.id, lock: lockOf(ctx) };
}

function changedError(action: string, lock: string): WopiRefusal {
  return new WopiRefusal("changed", `${action}: another program has changed the file`, lock);
}

/** Who changes what, for hooks and the activity log. The locks are those of the office server. */
function subjectOf(
  { state }: Ctx,
  { grant, owner, settings, share, user }: WopiVisit,
): Pick<HookSubject, "signedIn" | "address" | "by" | "visitor" | "share" | "isLockChecked"> {
  return {
    signedIn: { user: owner, settings },
    address: grant.visitor?.address ?? state.address,
    isLockChecked: true,
    ...user ? { by: user } : { visitor: grant.visitor?.name ?? "" },
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
