import { IS_BROWSER } from "fresh/runtime";
import { Api } from "./api.ts";
import { usePage } from "./page.ts";
import { Prompts } from "./prompts.ts";
import { Session } from "./session.ts";
import { leaveWithSession } from "./session_end.ts";
import { useShared } from "./shared.ts";
import { Toasts } from "./toasts.ts";
import { memoryStorage, openTokenStorage } from "./token_storage.ts";

/** The session, on every page. */
export function useSession(): Session {
  const { user, config } = usePage().data;
  return useShared("session", () => {
    const storage = IS_BROWSER ? openTokenStorage() : memoryStorage();
    const session = new Session({ storage, user });
    if (IS_BROWSER) {
      session.listen(globalThis);
      // Without sign-in there is no sign-in page to go to.
      if (config.AuthMethod === "json") leaveWithSession(session, config.BaseURL, location);
    }
    return session;
  });
}

/** The client of the server's calls, on every page. */
export function useApi(): Api {
  const session = useSession();
  const { config } = usePage().data;
  return useShared("api", () => new Api({ baseUrl: config.BaseURL, session }));
}

/** The messages at the edge of the screen. */
export function useToasts(): Toasts {
  return useShared("toasts", () => new Toasts());
}

/** The questions put to the user. */
export function usePrompts(): Prompts {
  return useShared("prompts", () => new Prompts());
}
