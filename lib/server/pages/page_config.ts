import type { PageConfig } from "../../shared/api_types.ts";
import type { Config } from "../config/config.ts";
import type { Settings } from "../settings/settings.ts";
import { type BrandingName, readBranding } from "./branding_files.ts";
import { version } from "../../shared/version.ts";

/**
 * The public configuration in every page. It contains no secrets, and the version only for
 * signed-in users, as it would reveal known vulnerabilities to others.
 */
export function pageConfig(
  config: Config,
  { signup, branding, hideLoginButton, logoutPage, tus }: Settings,
  isSignedIn: boolean,
): PageConfig {
  return {
    Name: branding.name || "Cubby",
    DisableExternal: branding.disableExternal,
    BaseURL: config.baseUrl,
    StaticURL: config.baseUrl,
    ReCaptcha: config.recaptcha !== undefined,
    ReCaptchaHost: config.recaptcha?.host ?? "",
    ReCaptchaKey: config.recaptcha?.key ?? "",
    Signup: signup,
    Version: isSignedIn ? version : "",
    NoAuth: config.authMethod === "noauth",
    AuthMethod: config.authMethod,
    LoginPage: config.authMethod === "json",
    LogoutPage: logoutPage === "/login" ? "" : logoutPage,
    HideLoginButton: hideLoginButton,
    Color: branding.color,
    DisableUsedPercentage: branding.disableUsedPercentage,
    Theme: branding.theme,
    TusSettings: tus,
    EnableThumbs: !config.disableThumbnails,
    ResizePreview: !config.disablePreviewResize,
    EnableExec: !config.disableExec,
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
