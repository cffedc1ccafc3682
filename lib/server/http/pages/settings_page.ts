import type { Context } from "fresh";
import type { Placed } from "../../../shared/named_roots.ts";
import type { Page } from "../../../shared/page_data.ts";
import type { SettingsData } from "../../../shared/settings_data.ts";
import type { Clock } from "../../../shared/clock.ts";
import type { State } from "../define.ts";
import { availableLocales } from "./dictionaries.ts";
import type { SignedIn } from "../../features/accounts/auth/session.ts";
import { openSidebarPage } from "./open_page.ts";
import { redirect, toSignIn } from "./redirects.ts";
import { sessionOf } from "../middleware/sign_in.ts";
import { serverClock } from "../request/server_clock.ts";

/** The data of a settings page. */
export interface SettingsContent {
  page: Page;
  clock: Clock;
  shown: SettingsData;
  locales: readonly string[];
}

/**
 * The session of a user who may see a settings page; otherwise a redirect to sign-in or to 403.
 *
 * @param needs the required permission; an administrator has all
 */
export function guard(ctx: Context<State>, needs?: "admin" | "share"): SignedIn | Response {
  if (!ctx.state.signedIn) return toSignIn(ctx);
  const signedIn = sessionOf(ctx);
  const { perm } = signedIn.user;
  if (needs && !perm.admin && !perm[needs]) return redirect(`${ctx.config.basePath}/403`);
  return signedIn;
}

/** The place of a user, for forms in which folders are picked. */
export function placedAs({ user: { scope, roots } }: SignedIn): Placed {
  return { scope, roots };
}

/** Loads the data of a settings page. */
export async function settingsContent(
  ctx: Context<State>,
  shown: SettingsData,
): Promise<SettingsContent> {
  const page = await openSidebarPage(ctx);
  return { page, clock: serverClock(ctx.req), shown, locales: availableLocales() };
}
