import type { PageData } from "../../../lib/client/page.ts";
import { wordsOf } from "../../../lib/i18n/dictionaries.ts";
import { ada, folderOf } from "./support.ts";

/** A files page on "/docs", rendered for somebody called so. */
export function pageDataFor(username: string, files: string[], baseUrl = "/base"): PageData {
  return {
    config: {
      Name: "Cubby",
      DisableExternal: false,
      BaseURL: baseUrl,
      StaticURL: baseUrl,
      ReCaptcha: false,
      ReCaptchaHost: "",
      ReCaptchaKey: "",
      Signup: false,
      Version: "1",
      NoAuth: false,
      AuthMethod: "json",
      LoginPage: true,
      Theme: "",
      EnableThumbs: true,
      ResizePreview: true,
      EnableExec: false,
      CustomCss: "",
      Logo: "",
      Icon: "",
    },
    user: { ...ada, username },
    locale: "en",
    words: wordsOf("en"),
    files: { path: "/docs", resource: folderOf(files, undefined, "/docs"), failure: null },
  };
}
