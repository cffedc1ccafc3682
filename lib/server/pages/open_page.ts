import type { Context } from "fresh";
import { createPage, type FilesPageData, type Page } from "../../client/core/page.ts";
import type { State } from "../define.ts";
import { availableLocales, wordsOf } from "./dictionaries.ts";
import { chooseLocale } from "../../shared/i18n/locales.ts";
import { toTokenUser } from "../users/user.ts";
import { pageConfig } from "./page_config.ts";

/**
 * Makes the page that answers a request, in the language of whoever asks, and leaves it in
 * `ctx.state.page` for the frame around it.
 *
 * @param files what a files page opens with
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
