import type { PageConfig } from "../api_types.ts";
import type { Config } from "../config.ts";
import type { Settings } from "../settings/settings.ts";
import { version } from "../version.ts";

/** What every page may know of how the server is set up. Nothing in it is a secret. */
export function pageConfig(config: Config, { signup, branding }: Settings): PageConfig {
  return {
    Name: branding.name || "Cubby",
    DisableExternal: branding.disableExternal,
    BaseURL: config.baseUrl,
    StaticURL: config.baseUrl,
    ReCaptcha: false,
    ReCaptchaKey: "",
    Signup: signup,
    Version: version,
    NoAuth: config.authMethod === "noauth",
    AuthMethod: config.authMethod,
    LoginPage: config.authMethod === "json",
    Theme: branding.theme,
    EnableThumbs: !config.disableThumbnails,
    ResizePreview: !config.disablePreviewResize,
    EnableExec: !config.disableExec,
  };
}
