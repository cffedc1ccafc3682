import { IS_BROWSER } from "fresh/runtime";
import type { Api } from "../api/api.ts";
import type { Connection } from "../live/connection.ts";
import { createFiles, type Files } from "./files.ts";
import type { Surroundings } from "./navigation.ts";
import { usePage } from "../core/page.ts";
import type { Session } from "../session/session.ts";
import { useShared } from "../core/shared.ts";
import { useApi, useConnection, usePrompts, useSession, useToasts } from "../core/use_site.ts";

export type { Files } from "./files.ts";

/** The stores of the files page. Read their signals in the component that shows them. */
export function useFiles(): Files {
  const { data, i18n } = usePage();
  const session = useSession();
  const api = useApi();
  const connection = useConnection();
  const prompts = usePrompts();
  const toasts = useToasts();
  const around = IS_BROWSER ? globalThis as unknown as Surroundings : null;
  return useShared("files", () => {
    const files = createFiles({ data, i18n, api, session, prompts, toasts, around });
    if (around) void keepFresh(files, api, session, connection);
    return files;
  });
}

/** The page works without the code that this takes, so it comes after what is needed at first. */
async function keepFresh(
  files: Files,
  api: Api,
  session: Session,
  connection: Connection,
): Promise<void> {
  const late = await import("../live/live.ts").catch(() => null);
  const { listing, uploads } = files;
  late?.keepFresh({
    api,
    session,
    connection,
    listing,
    uploads: uploads.now,
    window: globalThis,
    document,
  });
}
