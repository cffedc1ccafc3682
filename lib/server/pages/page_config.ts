import type { PageConfig, ThumbKind } from "../../shared/api_types.ts";
import type { SessionRecord } from "../auth/session.ts";
import { type Config, takesPasswords } from "../config/config.ts";
import type { Settings } from "../settings/settings.ts";
import { providerPath } from "../http/request/auth/cookies.ts";
import { type BrandingName, readBranding } from "./branding_files.ts";
import { version } from "../../shared/version.ts";

/**
 * The public configuration in every page. It contains no secrets, and the version only for
 * signed-in users, as it would reveal known vulnerabilities to others.
 *
 * @param kinds what thumbnails can be made of
 */
export function pageConfig(
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
