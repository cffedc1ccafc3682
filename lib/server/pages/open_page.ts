import type { Context } from "fresh";
import type { Page, PageData } from "../../shared/page_data.ts";
import type { PageConfig, TokenUser } from "../../shared/api_types.ts";
import type { State } from "../define.ts";
import { availableLocales, i18nOf, wordsOf } from "./dictionaries.ts";
import { rootsInfoOf } from "../../shared/named_roots.ts";
import { chooseLocale } from "../../shared/i18n/locales.ts";
import { parsePath, ROOT } from "../../shared/path.ts";
import { isLimited } from "../../shared/schemas/quota.ts";
import { toTokenUser } from "../users/user.ts";
import { favoritesOf } from "../http/request/place_requests.ts";
import { isOfferedNames } from "../http/request/share_requests.ts";
import { pageConfig } from "./page_config.ts";

/**
 * Creates the page for a request, in the user's language and theme, and sets `ctx.state.page` for
 * the layout.
 *
 * @param more what else the page starts with
 */
export async function openPage(
  ctx: Pick<Context<State>, "req" | "state">,
  more: Partial<PageData> = {},
): Promise<Page> {
  const { cubby, signedIn } = ctx.state;
  const settings = signedIn?.settings ?? await cubby.settings.get();
  const user = signedIn ? toTokenUser(signedIn.user) : null;
  const acceptLanguage = ctx.req.headers.get("accept-language");
  const locale = chooseLocale({ chosen: user?.locale, acceptLanguage }, availableLocales());
  const config = pageConfig(cubby.config, settings, signedIn?.session, cubby.media.kinds);
  config.Theme = themeOf(user?.theme, config.Theme);
  // The whole disk is no business of users who see a part of it, their own quota is.
  config.DisableUsedPercentage ||= signedIn !== undefined && !user?.perm.admin &&
    (signedIn.user.roots.length > 0 || parsePath(`/${signedIn.user.scope}`).path !== ROOT);
  if (signedIn && isOfferedNames(signedIn.user, settings)) config.SuggestNames = true;
  if (isLimited(signedIn?.user.quota)) config.DisableUsedPercentage = false;
  const roots = signedIn && rootsInfoOf(signedIn.user);
  const data = {
    ...{ config, user, locale, words: wordsOf(locale) },
    ...roots && { roots },
    ...more,
  };
  const page = { data, i18n: i18nOf(locale) };
  ctx.state.page = page;
  return page;
}

/** The theme of a page: the user's own, or else the site's. */
function themeOf(own: TokenUser["theme"] | undefined, site: PageConfig["Theme"]) {
  return own === "system" ? "" : own || site;
}

/** As {@linkcode openPage}, for the pages that have the sidebar. */
export async function openSidebarPage(
  ctx: Context<State>,
  more: Partial<PageData> = {},
): Promise<Page> {
  const { signedIn, cubby } = ctx.state;
  const isSharedWith = signedIn && await cubby.shares.isFor(signedIn.user);
  const unread = signedIn &&
    (await cubby.notifications.records.unreadState(signedIn.user.id)).unread;
  return await openPage(ctx, {
    favorites: await favoritesOf(ctx),
    ...isSharedWith && { isSharedWith },
    ...unread && { unread },
    ...more,
  });
}
