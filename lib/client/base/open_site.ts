/**
 * Opens what every page has. Each island imports this module, directly or by way of another, so
 * that the hooks of `lib/client/base/core/use_site.ts` work in it.
 */
import { IS_BROWSER } from "fresh/runtime";
import { Api } from "./api/api.ts";
import { Connection } from "./api/connection.ts";
import { memoryStorage, openLocalStorage } from "./core/browser_storage.ts";
import { repeatEarlyClick } from "./core/early_click.ts";
import { usePage, useShared } from "./core/page.ts";
import { provideSite, type Site, useConnection, useResuming, useSession } from "./core/use_site.ts";
import { Prompts } from "./prompts/prompts.ts";
import { leaveWithSession, Session } from "./session/session.ts";
import { Toasts } from "./ui/toasts.ts";

/** The hooks of every page, of which the page of a share has some of its own. */
export const siteHooks: Site = {
  useSession: () => {
    const { user, config } = usePage().data;
    const resumes = useResuming();
    return useShared("session", () => {
      const storage = IS_BROWSER ? openLocalStorage() : memoryStorage();
      const session = new Session({ storage, user });
      if (IS_BROWSER) {
        session.listen(globalThis);
        // Without sign-in there is no sign-in page to go to.
        if (config.LoginPage) {
          leaveWithSession(session, config, location, resumes);
        }
      }
      return session;
    });
  },
  useConnection: () => {
    const { BaseURL } = usePage().data.config;
    const reaches = async () => {
      const answer = await fetch(`${BaseURL}/health`, { cache: "no-store" }).catch(() => null);
      return answer?.ok === true;
    };
    return useShared("connection", () => new Connection(reaches, IS_BROWSER ? globalThis : null));
  },
  useApi: () => {
    const session = useSession();
    const connection = useConnection();
    const resumes = useResuming();
    const { config } = usePage().data;
    const options = { baseUrl: config.BaseURL, session, connection, resumes };
    return useShared("api", () => new Api(options));
  },
  useToasts: () => useShared("toasts", () => new Toasts()),
  usePrompts: () => useShared("prompts", () => new Prompts()),
};
provideSite(siteHooks);

if (IS_BROWSER) repeatEarlyClick();
