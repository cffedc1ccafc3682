import { IS_BROWSER } from "fresh/runtime";
import { useEffect } from "react";
import { Api } from "../api/api.ts";
import { Connection } from "../api/connection.ts";
import type { Permissions } from "../../shared/api_types.ts";
import { mayUser, usePage, useShared } from "./page.ts";
import { Prompts } from "../prompts/prompts.ts";
import { leaveWithSession, Session } from "../session/session.ts";
import { Toasts } from "../ui/toasts.ts";
import { memoryStorage, openLocalStorage } from "./browser_storage.ts";
import { useTranslation } from "./use_translation.ts";
import type { Lazy } from "./lazy.ts";

/** The session, on every page. */
export function useSession(): Session {
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
}

/**
 * The permission check of the page's user, which is followed as signals are: the user or a group
 * may change while the page is open.
 */
export function useMay(): (permission: keyof Permissions) => boolean {
  const session = useSession();
  const isKnown = usePage().data.user !== null;
  return (permission) => isKnown && mayUser(session.user.value, permission);
}

/** Whether this page can sign its user in again in place: the files page, to keep its state. */
export function useResuming(): boolean {
  const { config, files } = usePage().data;
  return config.LoginPage && files !== undefined;
}

/** Whether the server can be reached. */
export function useConnection(): Connection {
  const { BaseURL } = usePage().data.config;
  const reaches = async () => {
    const answer = await fetch(`${BaseURL}/health`, { cache: "no-store" }).catch(() => null);
    return answer?.ok === true;
  };
  return useShared("connection", () => new Connection(reaches, IS_BROWSER ? globalThis : null));
}

/** The client of the server's calls, on every page. */
export function useApi(): Api {
  const session = useSession();
  const connection = useConnection();
  const resumes = useResuming();
  const { config } = usePage().data;
  return useShared("api", () => new Api({ baseUrl: config.BaseURL, session, connection, resumes }));
}

/** The messages at the edge of the screen. */
export function useToasts(): Toasts {
  return useShared("toasts", () => new Toasts());
}

/** The prompts of the page. */
export function usePrompts(): Prompts {
  return useShared("prompts", () => new Prompts());
}

/**
 * The exports of a lazy module, or null until they are loaded. A failure is shown as a toast; the
 * next time that `needed` becomes true the load is retried.
 *
 * @param needed whether to load it now
 */
export function useLazy<T>(module: Lazy<T>, needed: boolean): T | null {
  const { t } = useTranslation();
  const toasts = useToasts();
  useEffect(() => {
    if (!needed) return;
    void module.load().then((value) => {
      if (value === null) toasts.error(t("errors.offline"));
    });
  }, [needed]);
  const state = module.state.value;
  return state.is === "ready" ? state.value : null;
}
