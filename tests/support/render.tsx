/** Renders a component as the server does: with a page around it, in English. */
import { renderToString } from "preact-render-to-string";
import type { ReactNode } from "react";
import type { PageConfig, Permissions, TokenUser } from "../../lib/api_types.ts";
import { createPage, PageContext, type PageData } from "../../lib/client/page.ts";
import { wordsOf } from "../../lib/i18n/dictionaries.ts";

const config: PageConfig = {
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
  Theme: "",
  EnableThumbs: true,
  ResizePreview: true,
  EnableExec: false,
  CustomCss: "",
  Logo: "",
  Icon: "",
};

const everything: Permissions = {
  admin: false,
  create: true,
  delete: true,
  download: true,
  execute: false,
  modify: true,
  rename: true,
  share: true,
};

/** A user who may do all that users may, but for what is said otherwise. */
export function userWho(perm: Partial<Permissions> = {}): TokenUser {
  return {
    id: 2,
    username: "maria",
    locale: "en",
    viewMode: "list",
    singleClick: false,
    dateFormat: false,
    hideDotfiles: false,
    perm: { ...everything, ...perm },
    commands: [],
    lockPassword: false,
  };
}

/** The data of a page that nothing special is on. */
export function pageDataOf(data: Partial<PageData> = {}): PageData {
  return { config, user: userWho(), locale: "en", words: wordsOf("en"), ...data };
}

/** The markup of a component on a page with this data. */
export function markupOf(content: ReactNode, data: Partial<PageData> = {}): string {
  const page = createPage(pageDataOf(data));
  return renderToString(<PageContext.Provider value={page}>{content}</PageContext.Provider>);
}
