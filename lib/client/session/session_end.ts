import { effect } from "@preact/signals";
import type { Session } from "./session.ts";

/** What of the browser is needed to leave the page. */
type Leavable = Pick<Location, "href" | "pathname" | "search" | "assign" | "reload">;

/**
 * The address of the sign-in page, which leads back to `back` afterwards. It says that the session
 * has expired: the cookie may still be good, and the page would else lead back at once.
 */
export function loginHref(baseUrl: string, back?: string): string {
  if (back === undefined) return `${baseUrl}/login`;
  return `${baseUrl}/login?${new URLSearchParams({ redirect: back, expired: "1" })}`;
}

/**
 * Leaves the page when the session is over, so that nothing of it stays on screen: for the sign-in
 * page, which leads back here if the session has merely run out; when another tab has signed in as
 * somebody else, for the same page as that user sees it.
 *
 * @param resumes whether the page itself lets the user sign in again when the session has run out
 * @returns the way to stop
 */
export function leaveWithSession(
  session: Session,
  baseUrl: string,
  location: Leavable,
  resumes = false,
): () => void {
  return effect(() => {
    switch (session.ended.value) {
      case "expired":
        if (resumes) return;
        return location.assign(loginHref(baseUrl, location.pathname + location.search));
      case "signed_out":
        return location.assign(loginHref(baseUrl));
      case "switched":
        return location.reload();
    }
  });
}
