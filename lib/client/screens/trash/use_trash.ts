import { useState } from "react";
import { useTranslation } from "react-i18next";
import { formatList } from "../../base/core/format.ts";
import { type Result, success } from "../../../shared/result.ts";
import type { TrashItem, TrashPage } from "../../../shared/schemas/trash.ts";
import { emptyTrash } from "../../files_page/actions/free_room.ts";
import { FIRST_TRASHED } from "../../../shared/list_page.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useApi, usePrompts, useToasts } from "../../base/core/use_site.ts";
import { usePages } from "../../base/ui/lists/use_pages.ts";
import { useTrashApi } from "./trash_api.ts";

/**
 * The entries of the user's trash on the page, and what is done with them.
 *
 * @param first as the server has rendered them
 * @param sought what they were searched for
 */
export function useTrash(first: TrashPage, sought: string) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const trash = useTrashApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const list = usePages<TrashItem>(
    { ...first, query: sought },
    ({ query, after }, signal) => trash.list(query ?? "", after, signal),
    { firstCount: FIRST_TRASHED, failed: (text) => toasts.error(text) },
  );
  const { items: shown, query, search } = list;
  const [busy, setBusy] = useState(false);

  /** Deals with entries one by one: those that are dealt with are listed no more. */
  const each = async (
    items: readonly TrashItem[],
    act: (item: TrashItem) => Promise<Result<unknown>>,
  ) => {
    const reasons = new Set<string>();
    let done = 0;
    let isStale = false;
    setBusy(true);
    for (const item of items) {
      const answer = await act(item);
      if (answer.ok) {
        done++;
        list.change((before) => before.filter((one) => one !== item));
      } else {
        reasons.add(reasonOf(t, answer));
        isStale ||= answer.status === 404;
        if (answer.status === 0) break;
      }
    }
    setBusy(false);
    if (isStale) await list.reload();
    return { done, reasons };
  };

  return {
    items: shown,
    query,
    busy,
    search,
    /** Lists further entries; undefined where there are none. */
    more: list.next === null ? undefined : () => void list.more(),
    /** The latest deletion goes back first: a folder before what was deleted out of it earlier. */
    async restore(items: readonly TrashItem[]) {
      const newNames: string[] = [];
      const { done, reasons } = await each(items, async ({ id, name }) => {
        const answer = await trash.restore(id);
        if (answer.ok && answer.value !== name) newNames.push(answer.value);
        return answer;
      });
      if (done > newNames.length) toasts.success(t("toasts.restored", { count: done }));
      if (newNames.length > 0) {
        toasts.tell(t("toasts.restoredAs", { names: formatList(newNames, language) }));
      }
      for (const reason of reasons) {
        toasts.error(items.length === 1 ? reason : t("failures.restore", { reason }));
      }
    },
    async remove(items: readonly TrashItem[]) {
      const name = items.length === 1 ? items[0]?.name : undefined;
      const question = { count: items.length, name, mode: "forGood" } as const;
      if (await prompts.open("delete", question) === null) return;
      const { done, reasons } = await each(items, async ({ id }) => {
        const answer = await trash.remove(id);
        // Another device was faster: it is gone, as it should be.
        return !answer.ok && answer.status === 404 ? success(undefined) : answer;
      });
      if (done > 0) toasts.success(t("toasts.deleted", { count: done }));
      for (const reason of reasons) toasts.error(reason);
    },
    async empty() {
      setBusy(true);
      const isEmpty = await emptyTrash({ api, prompts, toasts, t });
      setBusy(false);
      // Of what could not be deleted, the rest is gone.
      if (isEmpty === null) return;
      if (query === "") await list.reload();
      else search("");
    },
  };
}
