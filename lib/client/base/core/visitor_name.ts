import { useTranslation } from "react-i18next";
import { guestName, visitorName } from "../../../shared/visitor_name.ts";
import { keepIn, openLocalStorage } from "./browser_storage.ts";
import { usePage, useShared } from "./page.ts";
import { usePrompts } from "./use_site.ts";

const KEY = "cubby-visitor-name";

/** The name that a visitor without an account has given in this browser; "" for none. */
export function keptVisitorName(): string {
  return openLocalStorage().getItem(KEY) ?? "";
}

/**
 * Asks visitors for the name that others see, before they first change a shared file with them: once
 * in a browser, and without an answer once on a page. Users have a name, and who only looks needs none.
 *
 * @returns asks, and tells whether a name was given
 */
export function useVisitorName(): () => Promise<boolean> {
  const { t } = useTranslation();
  const { share, user } = usePage().data;
  const prompts = usePrompts();
  const asked = useShared("visitor name", () => ({ isDone: false }));
  return async () => {
    if (!share?.mayEdit || user || asked.isDone || keptVisitorName() !== "") return false;
    asked.isDone = true;
    const answer = await prompts.open("visitorName", {
      text: t("share.nameText", { guest: guestName(t, "") }),
    });
    const name = visitorName(answer ?? "");
    if (name === "") return false;
    keepIn(openLocalStorage(), KEY, name);
    return true;
  };
}
