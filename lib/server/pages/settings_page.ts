import type { Context } from "fresh";
import type { Page } from "../../client/core/page.ts";
import type { SettingsData } from "../../client/settings/settings_data.ts";
import type { Clock } from "../../client/core/use_clock.ts";
import type { State } from "../define.ts";
import { availableLocales } from "./dictionaries.ts";
import type { SignedIn } from "../auth/session.ts";
import { openPage } from "./open_page.ts";
import { redirect, toSignIn } from "./redirects.ts";
import { serverClock } from "./server_clock.ts";

/** What a page of the settings is rendered from. */
export interface SettingsContent {
  page: Page;
  clock: Clock;
  shown: SettingsData;
  locales: readonly string[];
}

/**
 * Who may see a page of the settings, or where those go who may not: to sign in, or to be told so.
 *
 * @param needs a permission; an administrator has them all
 */
export function guard(ctx: Context<State>, needs?: "admin" | "share"): SignedIn | Response {
  const { signedIn } = ctx.state;
  if (!signedIn) return toSignIn(ctx);
  const { perm } = signedIn.user;
  if (needs && !perm.admin && !perm[needs]) return redirect(`${ctx.config.basePath}/403`);
  return signedIn;
}

/** Opens a page of the settings. */
export async function settingsContent(
  ctx: Context<State>,
  shown: SettingsData,
): Promise<SettingsContent> {
  const page = await openPage(ctx);
  return { page, clock: serverClock(ctx.req), shown, locales: availableLocales() };
}
