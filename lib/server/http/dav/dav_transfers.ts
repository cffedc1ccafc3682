import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { hasFollowedEntry } from "../../features/dav/companion_moves.ts";
import { assertWhole, readIsDeep } from "../../features/dav/depth.ts";
import { leftOutMultistatus } from "../../features/dav/multistatus.ts";
import { checkTransfer, type DavTransfer, runDavTransfer } from "../../features/dav/transfer.ts";
import type { Access } from "../../core/access/access.ts";
import { isSameEntry } from "../../core/disk/facts.ts";
import type { State } from "../define.ts";
import { LeftOutNote } from "../../files/transfer/progress.ts";
import { transferHooks } from "../../features/commands/hooks.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { accessFor } from "../request/access_for.ts";
import { hooked } from "../request/hooked.ts";
import { formOf, identityHeaders } from "./client_requests.ts";
import { davPath, davPrefix, destinationOf, isForClients } from "./dav_address.ts";
import { multistatusAnswer } from "./dav_properties.ts";
import { passLocks } from "./dav_locks.ts";

/**
 * COPY and MOVE: 201 for a new entry, 204 where another was replaced; 207 with the pipes, sockets
 * and devices that were left out of a folder.
 */
export async function transferEntry(
  ctx: Context<State>,
  action: DavTransfer["action"],
): Promise<Response> {
  const access = accessFor(ctx);
  const { transferWorker, listingWorker, observers, trash, deadProperties } = ctx.state.cubby;
  const { user, settings } = signedInOf(ctx);
  const [from, to] = [davPath(ctx).path, destinationOf(ctx).path];
  const { overwrite, isShallow } = optionsOf(ctx.req, action);
  const note = new LeftOutNote();
  const transfer = { action, from, to, overwrite: overwrite ?? true, isShallow };
  const tools = {
    ...{ transferWorker, listingWorker, observers, trash, deadProperties },
    userId: user.id,
    keepsDeleted: settings.trash.byDefault,
    report: note.report,
    signal: ctx.req.signal,
  };
  if (action === "move" && hasFollowedEntry(access, from, to)) {
    access.need(`Cannot move "${from}"`, "rename");
    return new Response(null, { status: 201, headers: await identityHeaders(ctx, access, to) });
  }
  const isReplaced = checkTransfer(access, transfer);
  if (overwrite === undefined && action === "move" && isForClients(ctx)) {
    // Desktop clients, which send no such header, move to no name that they know to be taken. With
    // 412 they look again. Phone apps and other programs send it.
    transfer.overwrite = isReplaced && isOneEntry(access, from, to);
    if (isReplaced) checkTransfer(access, transfer);
  }
  const pass = await passLocks(ctx, access);
  const target = { place: access.placeAt(to), isDeep: true, isMember: !isReplaced };
  await pass.assertFree(`Cannot write to "${to}"`, target);
  if (action === "move") {
    const source = { place: access.itself(from).belowRoot, isDeep: true, isMember: true };
    await pass.assertFree(`Cannot move "${from}"`, source);
  }
  const arrived = await hooked(
    ctx,
    { ...transferHooks(access, action, from, to), isLockChecked: true },
    () => runDavTransfer(access, transfer, tools),
  );
  if (note.leftOut) {
    return multistatusAnswer(leftOutMultistatus(davPrefix(ctx), from, note.leftOut, formOf(ctx)));
  }
  const headers = await identityHeaders(ctx, access, arrived);
  return new Response(null, { status: isReplaced ? 204 : 201, headers });
}

/** Whether two names are of one entry: a change of case, on a disk that does not tell them apart. */
function isOneEntry(access: Access, from: EntryPath, to: EntryPath): boolean {
  return isSameEntry(access.itself(from).info, access.itself(to).info);
}

/**
 * @returns no `overwrite` where the request does not say
 * @throws DomainError `invalid_option` for a depth that the method does not have
 */
function optionsOf(
  { headers }: Request,
  action: DavTransfer["action"],
): Partial<Pick<DavTransfer, "overwrite">> & Pick<DavTransfer, "isShallow"> {
  const depth = headers.get("depth");
  const refusal = `Cannot ${action} the entry`;
  if (action === "move") assertWhole(depth, refusal);
  const isShallow = action === "copy" && !readIsDeep(depth, refusal);
  const overwrite = headers.get("overwrite")?.trim().toUpperCase();
  if (overwrite === undefined) return { isShallow };
  if (overwrite !== "T" && overwrite !== "F") {
    throw new DomainError("invalid_option", `Cannot read Overwrite: expected T or F`);
  }
  return { overwrite: overwrite === "T", isShallow };
}
