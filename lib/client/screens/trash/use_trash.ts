import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { type Result, success } from "../../../shared/result.ts";
import type { TrashItem, TrashPage } from "../../../shared/schemas/trash.ts";
import { emptyTrash } from "../../files_page/actions/free_room.ts";
import { FIRST_TRASHED } from "../../../shared/list_page.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useApi, usePrompts, useToasts } from "../../base/core/use_site.ts";
import { keepPlace } from "../../base/ui/lists/use_list.ts";
import { useTrashApi } from "./trash_api.ts";

/** The rest before what is typed is searched for, in milliseconds. */
const TYPING_MS = 250;

/**
 * The entries of the user's trash on the page, those selected, and what is done with them.
 *
 * @param first as the server has rendered them
 * @param sought what they were searched for
 */
export function useTrash(first: TrashPage, sought: string) {
  const { t } = useTranslation();
  const api = useApi();
  const trash = useTrashApi();
  const prompts = usePrompts();
  const toasts = useToasts();
  const [shown, setShown] = useState(first);
  const [query, setQuery] = useState(sought);
  const [busy, setBusy] = useState(false);
  const [ids, setIds] = useState<ReadonlySet<string>>(new Set());
  const wasTyped = useRef(false);
  const loading = useRef(new AbortController());
  const chosen = shown.items.filter(({ id }) => ids.has(id));

  /** Lists what is found, or what comes behind it; an answer that is late counts no more. */
  const load = async (before?: string) => {
    loading.current.abort();
    loading.current = new AbortController();
    const answer = await trash.list(query, before, loading.current.signal);
    if (!answer.ok) {
      if (answer.code !== "aborted") toasts.error(reasonOf(t, answer));
      return;
    }
    const { items, next } = answer.value;
    const count = items.length + (before ? shown.items.length : 0);
    keepPlace({ query, count, isFromStart: !before, first: FIRST_TRASHED });
    setShown((former) => ({ items: before ? [...former.items, ...items] : items, next }));
  };
  useEffect(() => {
    if (!wasTyped.current) return;
    const timer = setTimeout(() => void load(), TYPING_MS);
    return () => {
      clearTimeout(timer);
      loading.current.abort();
    };
  }, [query]);

  const search = (words: string) => {
    wasTyped.current = true;
    setQuery(words);
  };

  /** Deals with entries one by one: those that are dealt with are listed no more. */
  const each = async (
    items: readonly TrashItem[],
    act: (item: TrashItem) => Promise<Result<unknown>>,
  ) => {
    const gone = new Set<string>();
    const reasons = new Set<string>();
    let done = 0;
    let isStale = false;
    setBusy(true);
    for (const item of items) {
      const answer = await act(item);
      if (answer.ok) {
        done++;
        gone.add(item.id);
        setShown(({ items, next }) => ({ items: items.filter((one) => one !== item), next }));
      } else {
        reasons.add(reasonOf(t, answer));
        isStale ||= answer.status === 404;
        if (answer.status === 0) break;
      }
    }
    setBusy(false);
    const isUsedUp = shown.next !== null && shown.items.every(({ id }) => gone.has(id));
    if (isStale || isUsedUp) await load();
    return { done, reasons };
  };

  return {
    items: shown.items,
    query,
    busy,
    chosen,
    search,
    /** Lists further entries; undefined where there are none. */
    more: shown.next === null ? undefined : () => void load(shown.next ?? undefined),
    choose({ id }: TrashItem) {
      const next = new Set(ids);
      if (!next.delete(id)) next.add(id);
      setIds(next);
    },
    chooseAll() {
      const isAll = chosen.length === shown.items.length;
      setIds(new Set(isAll ? [] : shown.items.map(({ id }) => id)));
    },
    /** The latest deletion goes back first: a folder before what was deleted out of it earlier. */
    async restore(items: readonly TrashItem[]) {
      const newNames: string[] = [];
      const { done, reasons } = await each(items, async ({ id, name }) => {
        const answer = await trash.restore(id);
        if (answer.ok && answer.value !== name) newNames.push(answer.value);
        return answer;
      });
      if (done > newNames.length) toasts.success(t("toasts.restored", { count: done }));
      if (newNames.length > 0) toasts.tell(t("toasts.restoredAs", { names: newNames.join(", ") }));
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
      if (query === "") await load();
      else search("");
    },
  };
}
