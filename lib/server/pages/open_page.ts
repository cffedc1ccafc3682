import type { Context } from "fresh";
import { createPage, type FilesPageData, type Page } from "../../shared/page_data.ts";
import type { State } from "../define.ts";
import { availableLocales, wordsOf } from "./dictionaries.ts";
import { chooseLocale } from "../../shared/i18n/locales.ts";
import { toTokenUser } from "../users/user.ts";
import { pageConfig } from "./page_config.ts";

/**
 * Creates the page for a request, in the user's language, and sets `ctx.state.page` for the layout.
 *
 * @param files initial data of a files page
 */
export async function openPage(
  ctx: Pick<Context<State>, "req" | "state">,
  files?: FilesPageData,
): Promise<Page> {
  const { cubby, signedIn } = ctx.state;
  const settings = signedIn?.settings ?? await cubby.settings.get();
  const user = signedIn ? toTokenUser(signedIn.user) : null;
  const acceptLanguage = ctx.req.headers.get("accept-language");
  const locale = chooseLocale({ chosen: user?.locale, acceptLanguage }, availableLocales());
  const config = pageConfig(cubby.config, settings, user !== null);
  const page = createPage({ config, user, locale, words: wordsOf(locale), files });
  ctx.state.page = page;
  return page;
}
