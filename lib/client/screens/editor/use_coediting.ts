import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { lazy } from "../../base/core/lazy.ts";
import { usePage } from "../../base/core/page.ts";
import { parsePath } from "../../../shared/path.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { useVisitorName } from "../../base/core/visitor_name.ts";
import { guestName } from "../../../shared/visitor_name.ts";
import type { CoeditedText } from "./coediting/coedited_text.ts";
import type { TextFile } from "./text_file.ts";
import { whyAlone } from "./text_version.ts";

/** The code of texts that are edited with others. */
export const coediting = lazy(() => import("./coediting/coediting.ts"));

/** Most files that are looked for, whose changes could not be sent. */
const MOST_LOOKED_FOR = 5;

/**
 * Edits an open text with others, where the server has a room for it; without one the text is edited
 * alone. A visitor is asked for a name once the text is no longer a page to be read.
 *
 * @param isPage whether the text is shown as a page
 */
export function useCoediting(file: TextFile, isPage: boolean): void {
  const { t } = useTranslation();
  const { share, user } = usePage().data;
  const api = useApi();
  const toasts = useToasts();
  const askName = useVisitorName();
  const named = useRef<Promise<boolean> | null>(null);
  const entered = useRef<CoeditedText | null>(null);

  useEffect(() => {
    const version = file.version.peek();
    if (isPage || !version || whyAlone(version)) return;
    const asked = named.current = askName();
    void asked.then((isNew) => void (isNew && entered.current?.renew()));
  }, [file, isPage]);
  useEffect(() => {
    const version = file.version.peek();
    if (!version || whyAlone(version)) return;
    const leaving = new AbortController();
    const open = async () => {
      const [code] = await Promise.all([coediting.load(), named.current]);
      if (!code || leaving.signal.aborted) return;
      const owner = share ? `share ${share.hash}` : String(user?.id ?? "");
      const room = new code.CoeditedText({
        address: (query) => roomAddress(api, file.path, query),
        unsent: code.openUnsentTexts(owner, file.path),
        guests: {
          unnamed: guestName(t, ""),
          mark: t("guests.named", { name: "" }),
        },
        loaded: () => file.version.peek()?.text ?? null,
        onJoined: () => file.enter(room),
        onRefused: () => {},
        async onElsewhere(texts) {
          for (const text of texts.slice(0, MOST_LOOKED_FOR)) {
            const answer = await api.version(parsePath(text.path).path);
            if (leaving.signal.aborted) return;
            // A file that is there gets its changes once it is opened.
            if (answer.ok || answer.code !== "not_found") continue;
            const { path, forget } = text;
            const { mine } = code.readUnsent(text);
            file.addLost({ path, text: mine, forget });
          }
        },
        // A share that is over is not found, either: its visitors can put no file back.
        onEnded: (why) =>
          void file.part(share && why.code === "not_found" ? { ...why, code: "forbidden" } : why),
        onChanged: () => file.showRoom(),
        onFailed: (why) => file.fail(why),
        onSaved({ etag }, isAsked) {
          file.written(etag);
          if (isAsked) toasts.success(t("toasts.saved"));
        },
        async why() {
          const answer = await api.version(file.path);
          return answer.ok || await api.calls.recover(answer, leaving.signal) ? null : answer;
        },
      });
      entered.current = room;
      leaving.signal.addEventListener("abort", () => room.close());
      room.open();
    };
    void open();
    return () => leaving.abort();
  }, [file]);
}

/** The address of the room of a text. */
function roomAddress(
  api: ReturnType<typeof useApi>,
  path: TextFile["path"],
  query: { page: string; document?: string },
): string {
  const address = api.addressOf("GET /api/coediting/{path}", { params: { path }, query });
  return new URL(address, location.href).href.replace(/^http/, "ws");
}
