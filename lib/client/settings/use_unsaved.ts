import { useEffect, useRef } from "react";
import { LeaveGuard } from "../navigation/leave_guard.ts";
import { warnBeforeLeaving } from "../core/leaving.ts";
import { leavingLink } from "../core/links.ts";
import { useShared } from "../core/shared.ts";
import { usePrompts } from "../core/use_site.ts";
import { carryNews, dropNews, type News } from "./carried_news.ts";
import { FormHolder, type UnsavedForm } from "./unsaved_form.ts";

/** What stands before the ways out of a page of the settings. */
export function useSettingsGuard(): LeaveGuard {
  return useShared("settings-guard", () => new LeaveGuard());
}

/** Has the user asked before a form is left with changes. */
export function useUnsaved(form: UnsavedForm): void {
  const guard = useSettingsGuard();
  const prompts = usePrompts();
  const now = useRef(form);
  now.current = form;
  useEffect(() => guard.hold(new FormHolder(prompts, () => now.current)), [guard, prompts]);
}

/** Goes to another page of the site, or has this one sent anew, to tell the news there. */
export function useLeaving(): (news: News, to?: string) => void {
  const guard = useSettingsGuard();
  return (news, to) => {
    carryNews(sessionStorage, news);
    guard.letGo();
    if (to === undefined) location.reload();
    else location.assign(to);
  };
}

/** Asks by a prompt before a link is followed; the browser asks before all else that leaves. */
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
      dropNews(sessionStorage);
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
