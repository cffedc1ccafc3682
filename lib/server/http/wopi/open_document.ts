import type { Context } from "fresh";
import { DomainError } from "../../../shared/errors.ts";
import { chooseLocale } from "../../../shared/i18n/locales.ts";
import { type EntryPath, nameOf } from "../../../shared/path.ts";
import type { OpenedDocument } from "../../../shared/schemas/office.ts";
import type { Access } from "../../core/access/access.ts";
import { isAllowed } from "../../../shared/unless_refused.ts";
import type { OfficeServer } from "../../core/config/office_options.ts";
import { randomId } from "../../core/kv/random_id.ts";
import { pathInView } from "../../features/dav/paths_in_view.ts";
import { editionOf, enterByShare } from "../../features/links/shares/visit.ts";
import {
  accessTokenMs,
  type OfficeGrant,
  type OfficeVisitor,
  signAccessToken,
} from "../../features/office/access_tokens.ts";
import { editorAddress, type OfficeAction } from "../../features/office/discovery.ts";
import { type State } from "../define.ts";
import { publicAddress, publicOrigin } from "../middleware/client_address.ts";
import { sessionOf } from "../middleware/sign_in.ts";
import { availableLocales } from "../pages/dictionaries.ts";
import { accessFor } from "../request/access_for.ts";
import { requestPath } from "../request/request_path.ts";
import {
  needReadInPlace,
  shareTokenFor,
  visitByCall,
  visitorIn,
} from "../request/share_requests.ts";
import { officeOf } from "./wopi_visit.ts";

/**
 * Opens a file of the user in the office server.
 *
 * @throws DomainError `not_supported` without an office server, or one that knows the format; `busy`
 * while it is away; `forbidden`, `not_found`, `is_folder`, `not_a_file`
 */
export async function openOwnDocument(ctx: Context<State>): Promise<OpenedDocument> {
  const { path } = requestPath(ctx, "office");
  const { session, user } = sessionOf(ctx);
  const access = accessFor(ctx);
  return await open(ctx, {
    ...{ access, editing: access, path, language: user.locale },
    grant: { session: { userId: user.id, sid: session.sid } },
  });
}

/**
 * Opens a shared file in the office server: to edit for those who may, to view for all others.
 *
 * @throws DomainError as {@linkcode openOwnDocument}, and as `visitByCall()`
 */
export async function openSharedDocument(ctx: Context<State>): Promise<OpenedDocument> {
  const visit = await visitByCall(ctx, "public/office");
  const { path, settings, share } = visit;
  const { gate, shares, users } = ctx.state.cubby;
  const { user, session } = ctx.state.signedIn ?? {};
  const caller = user && session ? { user, session } : null;
  const options = { gate, users, shares, settings };
  needReadInPlace(visit, "Cannot open the document", "view");
  const { access, editing } = await enterByShare(share, caller?.user ?? null, options);
  const opened = await open(ctx, {
    ...{ access, editing, path, language: caller?.user.locale ?? "" },
    grant: {
      share: { hash: share.hash, edition: editionOf(share) },
      ...caller
        ? { session: { userId: caller.user.id, sid: caller.session.sid } }
        : { visitor: newVisitor(ctx) },
    },
  });
  // Documents stay open for longer than the token of a share lasts.
  const shareToken = await shareTokenFor(ctx, share);
  return { ...opened, ...shareToken !== "" && { shareToken } };
}

function newVisitor({ req, state, url }: Context<State>): OfficeVisitor {
  const language = url.searchParams.get("language") || req.headers.get("accept-language");
  return {
    id: randomId(8),
    name: visitorIn(url),
    locale: chooseLocale({ acceptLanguage: language }, availableLocales()),
    address: state.address,
  };
}

interface Opening {
  access: Access;
  /** Changes; null for one who only views. */
  editing: Access | null;
  path: EntryPath;
  /** The language of the user; "" for one whom the query names. */
  language: string;
  grant: Pick<OfficeGrant, "session" | "share" | "visitor">;
}

async function open(
  ctx: Context<State>,
  { access, editing, path, language, grant }: Opening,
): Promise<OpenedDocument> {
  const { config, key } = ctx.state.cubby;
  const wanted = wantedAction(ctx.url);
  const file = access.read(path);
  const { discovery, documents, server } = officeOf(ctx);
  const place = access.placeOf(file);
  const action = `Cannot open "${path}" in an editor`;
  if (pathInView(access.viewer, place) === null) {
    throw new DomainError("forbidden", `${action}: it is a link to a file that you do not see`);
  }
  const [, extension = ""] = /\.([^.]+)$/.exec(nameOf(place)) ?? [];
  const editors = (await discovery.read()).editors.get(extension.toLowerCase());
  if (!editors) {
    throw new DomainError("not_supported", `${action}: the office server has none for this format`);
  }
  const mayEdit = editing !== null && isAllowed(() => editing.modify(path));
  const right = mayEdit && editors.edit && wanted === "edit" ? "edit" : "view";
  const template = editors[right] ?? editors.edit ?? editors.view ?? "";
  const document = await documents.open(place);
  const host = hostAddress(ctx, server);
  const now = Date.now();
  const origin = publicOrigin(ctx.info, ctx.req, config.trustedProxies);
  const token = await signAccessToken(key, {
    ...{ ...grant, id: randomId(6), document, right, host },
    origin: `${origin.https ? "https" : "http"}://${origin.host}`,
  }, now);
  ctx.state.hasToken = true;
  const source = `${host}${config.baseUrl}/wopi/files/${document}`;
  const address = editorAddress(server, template, {
    source,
    language: ctx.url.searchParams.get("language") || language || "en",
    theme: wantedTheme(ctx.url),
  });
  return { address, token, expires: now + accessTokenMs, right };
}

/** The address of this server for the office server, without the base URL. */
export function hostAddress(ctx: Context<State>, { hostUrl }: OfficeServer): string {
  const { baseUrl } = ctx.state.cubby.config;
  return hostUrl ?? publicAddress(ctx, "").slice(0, -baseUrl.length || undefined);
}

/** @throws DomainError `invalid_option` */
function wantedTheme({ searchParams }: URL): "light" | "dark" | null {
  const theme = searchParams.get("theme");
  if (theme === null || theme === "light" || theme === "dark") return theme;
  throw new DomainError("invalid_option", `Cannot open a document in "${theme}": light or dark`);
}

/** @throws DomainError `invalid_option` */
function wantedAction({ searchParams }: URL): OfficeAction {
  const right = searchParams.get("right") ?? "edit";
  if (right === "edit" || right === "view") return right;
  throw new DomainError("invalid_option", `Cannot open a document to "${right}": view or edit`);
}
