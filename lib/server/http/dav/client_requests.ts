import type { Context } from "fresh";
import type { Access } from "../../core/access/access.ts";
import type { ClientTools } from "../../features/dav/client_facts.ts";
import { clientForm, wholeId } from "../../features/dav/client_properties.ts";
import { entryAt } from "../../features/dav/places.ts";
import { etagOf } from "../../files/content/open_content.ts";
import type { EntryPath } from "../../../shared/path.ts";
import { identified } from "../../features/dav/id_lookups.ts";
import { davForm, type MultistatusForm } from "../../features/dav/multistatus.ts";
import { methodOf } from "../../features/previews/images/preview_method.ts";
import type { State } from "../define.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { isForClients } from "./dav_address.ts";

/** The form of the multistatus documents at the address of a request. */
export function formOf(ctx: Pick<Context<State>, "url" | "config">): MultistatusForm {
  return isForClients({ url: ctx.url, config: ctx.config }) ? clientForm : davForm;
}

/**
 * The headers by which clients know an entry again: after they have made, moved or copied it, and
 * with its content. None at other addresses, and for one that is gone by now.
 */
export async function identityHeaders(
  ctx: Context<State>,
  access: Access,
  path: EntryPath,
): Promise<Record<string, string>> {
  const { fileIds } = ctx.state.cubby;
  const entry = isForClients(ctx) ? entryAt(access, path) : null;
  if (!entry || !fileIds) return {};
  const [id] = await fileIds.idsOf([identified(access, entry)]);
  return {
    ...id !== undefined && { "oc-fileid": wholeId(id) },
    ...entry.isFile && { "oc-etag": etagOf(entry.info) },
  };
}

/** The path of a file or folder of the user by its id; null for an id of none. */
export async function pathOfId(
  ctx: Context<State>,
  access: Access,
  id: string,
): Promise<EntryPath | null> {
  const owner = String(signedInOf(ctx).user.id);
  return await ctx.state.cubby.idLookups?.find(access, owner, id, ctx.req.signal) ?? null;
}

/** The services that know what clients ask for, and the viewer of a request. */
export async function clientTools(ctx: Context<State>, access: Access): Promise<ClientTools> {
  const { cubby } = ctx.state;
  const { favorites, shares, users } = cubby;
  const { folderStates, idLookups, fileChecksums, previews } = cubby;
  const showsPreviews = access.may("download") && !cubby.config.disableThumbnails;
  return {
    ...{ access, folderStates, idLookups, fileChecksums, favorites, shares, users },
    user: signedInOf(ctx).user,
    mediaIn: (folder) => access.may("download") ? cubby.media.known(folder) : null,
    locks: await cubby.locks?.all() ?? [],
    canPreview(name) {
      const method = showsPreviews ? methodOf(name) : null;
      return method !== null && previews.can(method);
    },
    signal: ctx.req.signal,
  };
}
