import { useEffect, useRef } from "react";
import {
  type LeaveBlocker,
  LeaveGuard,
  leavingLink,
  warnBeforeLeaving,
} from "../../base/navigation/leave_guard.ts";
import { useShared } from "../../base/core/page.ts";
import { usePrompts } from "../../base/core/use_site.ts";
import type { Words } from "../../../shared/i18n/i18n.ts";
import type { BrowserStorage } from "../../base/core/browser_storage.ts";
import type { Prompts } from "../../base/prompts/prompts.ts";

/** The leave guard of a settings page. */
export function useSettingsGuard(): LeaveGuard {
  return useShared("settings-guard", () => new LeaveGuard());
}

/** Asks the user before a form with unsaved changes is left. */
export function useUnsaved(form: UnsavedForm): void {
  const guard = useSettingsGuard();
  const prompts = usePrompts();
  const now = useRef(form);
  now.current = form;
  useEffect(() => guard.hold(new FormBlocker(prompts, () => now.current)), [guard, prompts]);
}

/** Goes to another page of the site, or reloads this one, and shows the message there. */
export function useLeaving(): (message: FlashMessage, to?: string) => void {
  const guard = useSettingsGuard();
  return (message, to) => {
    setFlashMessage(sessionStorage, message);
    guard.letGo();
    if (to === undefined) location.reload();
    else location.assign(to);
  };
}

/** Prompts before a link is followed; other ways to leave bring up the browser's warning. */
export function useGuardedPage(): void {
  const guard = useSettingsGuard();
  useEffect(() => {
    const onUnload = (event: BeforeUnloadEvent) => {
      if (!guard.isFree) warnBeforeLeaving(event);
    };
    const onClick = async (event: MouseEvent) => {
      const link = guard.isFree ? null : leavingLink(event, location);
      if (!link) return;
      event.preventDefault();
      if (!await guard.mayLeave()) return;
      clearFlashMessage(sessionStorage);
      guard.letGo();
      location.assign(link.href);
    };
    const leaving = new AbortController();
    const { signal } = leaving;
    addEventListener("beforeunload", onUnload, { signal });
    document.addEventListener("click", onClick, { signal });
    return () => leaving.abort();
  }, [guard]);
}

const KEY = "news";

/** A success message for the next page (flash message), shown in that page's language. */
export type FlashMessage = keyof Words["toasts"] & `${"settings" | "user" | "group"}${string}`;

/**
 * Stores a success message for the next page of this tab.
 *
 * @param storage `sessionStorage`
 */
export function setFlashMessage(storage: BrowserStorage, message: FlashMessage): void {
  storage.setItem(KEY, message);
}

/** Drops the message of a navigation that was abandoned. */
export function clearFlashMessage(storage: BrowserStorage): void {
  storage.removeItem(KEY);
}

/** Shows the message that the former page stored, once. */
export function showFlashMessage(
  storage: BrowserStorage,
  tell: (message: FlashMessage) => void,
): void {
  const message = storage.getItem(KEY);
  if (message === null) return;
  storage.removeItem(KEY);
  tell(message as FlashMessage);
}

/** A form that may have unsaved changes. */
export interface UnsavedForm {
  /** The name of the form's subject, for the prompt. */
  name: string;
  isChanged: boolean;
  /** Saves it; returns whether that succeeded. */
  save: () => Promise<boolean>;
}

/** Asks the user about the unsaved changes of a form that is left. */
export class FormBlocker implements LeaveBlocker {
  readonly #prompts: Prompts;
  readonly #form: () => UnsavedForm;
  #isSettled = false;

  /** @param form its current state */
  constructor(prompts: Prompts, form: () => UnsavedForm) {
    this.#prompts = prompts;
    this.#form = form;
  }

  holds(): boolean {
    return !this.#isSettled && this.#form().isChanged;
  }

  async ask(): Promise<boolean> {
    const { name, save } = this.#form();
    const answer = await this.#prompts.open("discard", { name });
    this.#isSettled = answer === "discard" || answer === "save" && await save();
    return this.#isSettled;
  }
}
