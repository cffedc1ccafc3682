/** What a page of the browser is given by the server, in tests. */
import type { Permissions } from "../../../lib/shared/schemas/rights.ts";
import type { TokenUser } from "../../../lib/shared/schemas/user.ts";
import { allPermissions } from "../../../lib/server/core/access/viewer.ts";
import type { PageConfig, PageData } from "../../../lib/shared/page_data.ts";
import { wordsOf } from "../../../lib/server/http/pages/dictionaries.ts";

/** A site on which nothing special is settled. */
export const plainConfig: PageConfig = {
  Name: "Cubby",
  DisableExternal: false,
  BaseURL: "",
  StaticURL: "",
  ReCaptcha: false,
  ReCaptchaHost: "",
  ReCaptchaKey: "",
  Signup: false,
  Version: "1.2.3",
  NoAuth: false,
  AuthMethod: "json",
  LoginPage: true,
  LogoutPage: "",
  HideLoginButton: false,
  MinimumPasswordLength: 12,
  Color: "",
  DisableUsedPercentage: false,
  Theme: "",
  TusSettings: { chunkSize: 10 * 2 ** 20, retryCount: 5 },
  EnableThumbs: true,
  Installable: true,
  EnableContents: false,
  EnableActivity: false,
  ThumbKinds: ["image"],
  EnablePapers: false,
  EnableStreams: false,
  ResizePreview: true,
  EnableExec: false,
  CustomCss: "",
  Logo: "",
  Icon: "",
};

/** A user who may do all but administrate and run commands, but for what is said otherwise. */
export function userWho(perm: Partial<Permissions> = {}, username = "maria"): TokenUser {
  return {
    id: 2,
    username,
    locale: "en",
    viewMode: "list",
    tileSize: "medium",
    groupBy: "none",
    density: "comfortable",
    typeColumn: "auto",
    picturesAsPhotos: true,
    singleClick: false,
    dateFormat: false,
    hideDotfiles: false,
    perm: { ...allPermissions(), admin: false, execute: false, ...perm },
    commands: [],
    lockPassword: false,
    redirectAfterCopyMove: false,
    keepModified: false,
    trashWithoutAsking: false,
    hideReadme: false,
    theme: "",
    keepRecent: true,
    aceEditorTheme: "",
  };
}

/** The data of a page that nothing special is on. */
export function pageDataOf(data: Partial<PageData> = {}): PageData {
  return { config: plainConfig, user: userWho(), locale: "en", words: wordsOf("en"), ...data };
}

/** A page of the server without the texts that it carries for the browser. */
export function withoutWords(html: string): string {
  return html.replace(/(id="page-data"[^>]*>)([^<]*)/, (_, element, text) => {
    const { words: _words, ...data } = JSON.parse(text);
    return element + JSON.stringify(data);
  });
}
