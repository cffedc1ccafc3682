import type { Context } from "fresh";
import type { Page, PageConfig, PageData } from "../../../shared/page_data.ts";
import type { ThumbKind } from "../../../shared/schemas/choices/choices.ts";
import type { TokenUser } from "../../../shared/schemas/user.ts";
import type { State } from "../define.ts";
import { availableLocales, i18nOf, wordsOf } from "./dictionaries.ts";
import { type Placed, rootsInfoOf } from "../../../shared/named_roots.ts";
import { chooseLocale } from "../../../shared/i18n/locales.ts";
import { parsePath, ROOT } from "../../../shared/path.ts";
import { isLimited } from "../../../shared/schemas/quota.ts";
import { toTokenUser } from "../../features/accounts/users/user.ts";
import { knownUsage } from "../../files/disk_usage.ts";
import { accessFor } from "../request/access_for.ts";
import { favoritesOf } from "../request/place_requests.ts";
import { isOfferedNames } from "../request/recipient_requests.ts";
import type { Seen, SessionRecord, SignedIn } from "../../features/accounts/auth/session.ts";
import { type Config, takesPasswords } from "../../core/config/config.ts";
import type { Settings } from "../../../shared/schemas/settings.ts";
import { providerPath } from "../request/auth/cookies.ts";
import { type BrandingName, readBranding } from "./branding_files.ts";
import { version } from "../../../shared/version.ts";
import type { SettingsData } from "../../../shared/settings_data.ts";
import type { Clock } from "../../../shared/clock.ts";
import { redirect, toSignIn } from "./redirects.ts";
import { sessionOf } from "../middleware/sign_in.ts";
import { serverClock } from "../request/server_clock.ts";

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
  config.EnablePapers = cubby.papers.areMade;
  config.EnableStreams = cubby.streams.areMade;
  config.Theme = themeOf(user?.theme, config.Theme);
  if (signedIn) config.DisableUsedPercentage = !mayKnowUsage(signedIn);
  if (signedIn && isOfferedNames(signedIn.user, settings)) config.SuggestNames = true;
  if (signedIn && settings.maxLinkRight !== "edit") config.MaxLinkRight = settings.maxLinkRight;
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

/**
 * Whether a user may know how much of the quota or of the disk is in use. The whole disk is no
 * business of users who see a part of it, their own quota is.
 */
export function mayKnowUsage({ user, settings }: Seen): boolean {
  if (isLimited(user.quota)) return true;
  if (settings.branding.disableUsedPercentage) return false;
  return user.perm.admin || (user.roots.length === 0 && parsePath(`/${user.scope}`).path === ROOT);
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
  const page = await openPage(ctx, {
    favorites: await favoritesOf(ctx),
    ...isSharedWith && { isSharedWith },
    ...unread && { unread },
    ...more,
  });
  const isSeen = signedIn && !page.data.config.DisableUsedPercentage;
  const usage = isSeen ? await knownUsage(accessFor(ctx)) : null;
  if (usage) page.data.usage = usage;
  return page;
}

/**
 * The public configuration in every page. It contains no secrets, and the version only for
 * signed-in users, as it would reveal known vulnerabilities to others.
 *
 * @param kinds what thumbnails can be made of
 */
function pageConfig(
  config: Config,
  { signup, branding, hideLoginButton, logoutPage, minimumPasswordLength, tus, contents, audit }:
    Settings,
  session: SessionRecord | undefined,
  kinds: ThumbKind[],
): PageConfig {
  const { oidc } = config;
  const isSignedIn = session !== undefined;
  const isMine = oidc !== undefined && session?.provedAt !== undefined;
  const endsThere = isMine && oidc.logout;
  return {
    Name: branding.name || "Cubby",
    DisableExternal: branding.disableExternal,
    BaseURL: config.baseUrl,
    StaticURL: config.baseUrl,
    ReCaptcha: config.recaptcha !== undefined && !oidc?.only,
    ReCaptchaHost: config.recaptcha?.host ?? "",
    ReCaptchaKey: config.recaptcha?.key ?? "",
    Signup: signup && !oidc?.only,
    Version: isSignedIn ? version : "",
    NoAuth: config.authMethod === "noauth",
    AuthMethod: config.authMethod,
    LoginPage: takesPasswords(config),
    ...config.mail && { EnableMail: true },
    ...oidc && { Provider: { Name: oidc.name, Only: oidc.only, Mine: isMine } },
    LogoutPage: endsThere
      ? `${config.baseUrl}${providerPath}/logout`
      : logoutPage === "/login"
      ? ""
      : logoutPage,
    HideLoginButton: hideLoginButton,
    MinimumPasswordLength: minimumPasswordLength,
    Color: branding.color,
    DisableUsedPercentage: branding.disableUsedPercentage,
    Theme: branding.theme,
    TusSettings: tus,
    EnableThumbs: !config.disableThumbnails,
    Installable: !config.disableInstall,
    ThumbKinds: config.disableThumbnails ? [] : kinds,
    ResizePreview: !config.disablePreviewResize,
    EnablePapers: false,
    EnableStreams: false,
    ...config.office && { EnableOffice: true },
    EnableExec: !config.disableExec,
    EnableContents: contents.enabled,
    ...config.webhooks && isSignedIn && { EnableWebhooks: true },
    EnableActivity: audit.level !== "off",
    CustomCss: addressOf("custom.css"),
    Logo: addressOf("logo"),
    Icon: addressOf("icon"),
  };

  /** The URL with the file's version, so that browsers cache it until it changes. */
  function addressOf(name: BrandingName): string {
    const file = readBranding(branding.files, name);
    return file ? `${config.baseUrl}/branding/${name}?v=${file.version}` : "";
  }
}

/** The data of a settings page. */
interface SettingsContent {
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
