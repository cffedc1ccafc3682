import type { RecipientRight } from "../../../../shared/schemas/choices/choices.ts";
import { includesRight } from "../../../../shared/schemas/choices/choices.ts";
import type { Access } from "../../../core/access/access.ts";
import { unlessRefused } from "../../../../shared/unless_refused.ts";
import { viewerOf } from "../../../core/access/viewer.ts";
import { freePath } from "../../../files/upload/free_path.ts";
import type { UploadPart } from "../../../files/upload/upload_parts.ts";
import { type HookSubject, withHooks } from "../../../features/commands/hooks.ts";
import { receivedSubject } from "../../../features/links/requests/received_files.ts";
import { enterRequest } from "../../../features/links/requests/request_visit.ts";
import { recipientOf } from "../../../features/links/shares/recipient_uploads.ts";
import { rightTo, visitorId } from "../../../features/links/shares/share.ts";
import { enterToAdd } from "../../../features/links/shares/visit.ts";
import { atOwnTop } from "../../../features/accounts/auth/api_token.ts";
import type { OpenCubby } from "../../../boot/cubby/cubby.ts";

/** An unfinished upload with the access that its owner has now. */
interface Owned {
  access: Access;
  /** Gives it its name. */
  finish(): Promise<unknown>;
}

/**
 * Completes the uploads that have all their bytes: a kill came between the last byte and the name,
 * or between the name and what is noted of it. Rights, quotas and hooked commands count as of now.
 * What is refused waits for its owner.
 *
 * @returns the end of it, which may take as long as the hooked commands do; those that have their
 * names are complete by then
 */
export async function finishUploads(cubby: OpenCubby): Promise<{ ended: Promise<void> }> {
  const { uploads, received } = cubby;
  await received.noteEnded();
  const whole: Owned[] = [];
  for (const part of await uploads.listUnfinished()) {
    const owned = await unlessRefused(() => ownerOf(cubby, part));
    const stage = owned && await unlessRefused(() => uploads.stageOf(owned.access, part));
    if (owned && stage === "whole") whole.push(owned);
    if (owned && stage === "named") await unlessRefused(owned.finish);
  }
  const finishAll = async () => {
    for (const { finish } of whole) await unlessRefused(finish);
  };
  return { ended: finishAll() };
}

async function ownerOf(cubby: OpenCubby, part: UploadPart): Promise<Owned | null> {
  if (part.upload === undefined) return await ofUser(cubby, part);
  const recipient = recipientOf(part.upload);
  return recipient
    ? await ofRecipient(cubby, part, recipient)
    : await ofVisitor(cubby, part.upload);
}

async function ofUser(cubby: OpenCubby, part: UploadPart): Promise<Owned | null> {
  const { apiTokens, gate, settings, trash, uploads, users } = cubby;
  const { userId, chunks, path, begun } = part;
  const signedIn = begun?.tokenId === undefined
    ? { user: await users.acting(userId), settings: await settings.get() }
    : await apiTokens.current(begun.tokenId);
  if (!signedIn || begun && begun.epoch !== signedIn.user.epoch) return null;
  // Only sync clients send chunks.
  const user = chunks === undefined ? signedIn.user : atOwnTop(signedIn.user);
  const access = gate.enter(viewerOf(user, signedIn.settings.rules));
  const file = () => access.create(path).real;
  const subject = { signedIn, address: begun?.address ?? "", access, path, file };
  const naming = {
    formerFiles: trash.formerFilesOf(userId),
    around: hooked(cubby, () => subject),
  };
  return { access, finish: () => uploads.state(access, { userId, chunks }, path, naming) };
}

async function ofRecipient(
  cubby: OpenCubby,
  { userId, upload, path: wanted }: UploadPart,
  { hash, userId: id }: { hash: string; userId: number },
): Promise<Owned | null> {
  const { gate, settings, shares, uploads, users } = cubby;
  const share = await shares.at(hash);
  const by = id === visitorId ? null : await users.acting(id);
  const options = { gate, users, settings: await settings.get() };
  const may: RecipientRight | null = rightTo(share, by, options.settings);
  if (may === null || !includesRight(may, "upload")) return null;
  const { access, owner } = await enterToAdd(share, options);
  const doer = by ? { by } : { visitor: "" };
  const acting = { signedIn: { user: owner, settings: options.settings }, ...doer, share: hash };
  const naming = {
    around: hooked(cubby, () => {
      const path = freePath(access, wanted);
      return { ...acting, address: "", access, path, file: () => access.create(path).real };
    }),
  };
  return { access, finish: () => uploads.state(access, { userId, upload }, wanted, naming) };
}

async function ofVisitor(cubby: OpenCubby, id: string): Promise<Owned | null> {
  const { gate, received, requests, settings, users } = cubby;
  const hash = await requests.uses.hashOf(id);
  if (hash === null) return null;
  const request = await requests.get(hash);
  const options = { gate, users, settings: await settings.get() };
  const visit = await enterRequest(request, options);
  const { access, owner } = visit;
  const acting = { signedIn: { user: owner, settings: options.settings }, address: "" };
  return {
    access,
    finish: () =>
      received.state(visit, id, (upload, finish) => {
        const subject = { ...acting, ...receivedSubject(access, request, upload) };
        return withHooks(cubby, "upload", subject, finish);
      }),
  };
}

function hooked(cubby: OpenCubby, subjectOf: () => HookSubject<string>) {
  return async (finish: () => Promise<string>) =>
    await withHooks(cubby, "upload", subjectOf(), finish);
}
