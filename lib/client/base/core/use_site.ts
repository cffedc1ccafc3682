import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import type { Api } from "../api/api.ts";
import type { Connection } from "../api/connection.ts";
import type { Permissions } from "../../../shared/schemas/rights.ts";
import { mayViewer, usePage } from "./page.ts";
import type { Prompts } from "../prompts/prompts.ts";
import type { Session } from "../session/session.ts";
import type { Toasts } from "../ui/toasts.ts";
import type { Lazy } from "./lazy.ts";

/**
 * A value that the browser's lower rooms know by its interface alone: a module further up, which
 * knows the classes, provides it, and the entry of every page imports that module. A React context
 * can't do this, as islands are separate roots.
 *
 * The value is the same for all requests that the server renders, so it holds no user's data: hooks
 * and functions only.
 */
export class Provided<T> {
  readonly #name: string;
  #value: T | undefined;

  /** @param name names the value in the error of `get` */
  constructor(name: string) {
    this.#name = name;
  }

  /** Sets the value, before anything is rendered. */
  provide(value: T): void {
    this.#value = value;
  }

  /** @throws Error when no module has provided the value */
  get(): T {
    if (this.#value === undefined) {
      throw new Error(`Cannot render: no module of this page provides "${this.#name}"`);
    }
    return this.#value;
  }
}

/** The hooks that open what every page has. */
export interface Site {
  useSession(): Session;
  useConnection(): Connection;
  useApi(): Api;
  useToasts(): Toasts;
  usePrompts(): Prompts;
}

const site = new Provided<Site>("site");

/** Sets the hooks; `lib/client/base/open_site.ts` calls it. */
export function provideSite(hooks: Site): void {
  site.provide(hooks);
}

/** The session, on every page. */
export function useSession(): Session {
  return site.get().useSession();
}

/**
 * The permission check of the page's user, which is followed as signals are: the user or a group
 * may change while the page is open.
 */
export function useMay(): (permission: keyof Permissions) => boolean {
  const session = useSession();
  const { data } = usePage();
  const isKnown = data.user !== null || data.share !== undefined;
  return (permission) => isKnown && mayViewer(data, session.user.value, permission);
}

/** Whether what may be read may be saved, too: a share for viewing alone only shows it. */
export function useMaySave(): boolean {
  const { share } = usePage().data;
  return useMay()("download") && !share?.viewOnly;
}

/** Whether this page can sign its user in again in place: the files page, to keep its state. */
export function useResuming(): boolean {
  const { config, files } = usePage().data;
  return config.LoginPage && files !== undefined;
}

/** Whether the server can be reached. */
export function useConnection(): Connection {
  return site.get().useConnection();
}

/** The client of the server's calls, on every page. */
export function useApi(): Api {
  return site.get().useApi();
}

/** The messages at the edge of the screen. */
export function useToasts(): Toasts {
  return site.get().useToasts();
}

/** The prompts of the page. */
export function usePrompts(): Prompts {
  return site.get().usePrompts();
}

/**
 * The exports of a lazy module, or null until they are loaded. A failure is shown as a toast; the
 * next time that `needed` becomes true the load is retried.
 *
 * @param needed whether to load it now
 * @param onFailure called before the message is shown, unless it is not needed any more
 */
export function useLazy<T>(
  module: Lazy<T>,
  needed: boolean,
  onFailure?: () => void,
): T | null {
  const { t } = useTranslation();
  const toasts = useToasts();
  useEffect(() => {
    if (!needed) return;
    let isNeeded = true;
    void module.load().then((value) => {
      if (value !== null) return;
      if (isNeeded) onFailure?.();
      toasts.error(t("errors.offline"));
    });
    return () => void (isNeeded = false);
  }, [needed]);
  const state = module.state.value;
  return state.is === "ready" ? state.value : null;
}
