import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import type { NotificationInfo, UnreadState } from "../../../shared/schemas/notification.ts";
import { Button, IconButton } from "../../../../components/Button.tsx";
import { Loading } from "../../../../components/Loading.tsx";
import { SheetGrip } from "../../../../components/Menu.tsx";
import { reasonOf } from "../../base/api/reasons.ts";
import type { Calls } from "../../base/api/calls.ts";
import { useApi, useToasts } from "../../base/core/use_site.ts";
import { useNotificationNews } from "../../base/core/use_panels.ts";
import { useClosingPress } from "../../base/ui/popover_press.ts";
import {
  detailOf,
  notificationGlyphs,
  NotificationsApi,
  placeOf,
  sentenceOf,
} from "./notifications.ts";
import { X } from "lucide";
import { formatExact, formatRelative } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import { Icon } from "../../../../components/Icon.tsx";

/** How many are not read, as the server says now; null when it cannot be asked. */
export async function readNews(calls: Calls): Promise<UnreadState | null> {
  const answer = await new NotificationsApi(calls).list({ limit: 1 });
  return answer.ok ? { unread: answer.value.unread, edition: 0 } : null;
}

interface NotificationPanelProps {
  /** The button that has opened it. */
  button: RefObject<HTMLButtonElement>;
  onClose: () => void;
}

/** The list of notifications: below the bell, on phones a bottom sheet. */
export function NotificationPanel({ button, onClose }: NotificationPanelProps) {
  const { t } = useTranslation();
  const { items, next, error, isLoading, reload, loadMore, read, readAll, remove } =
    useNotifications();
  const panel = useRef<HTMLDivElement>(null);
  const title = useRef<HTMLHeadingElement>(null);
  useClosingPress(panel);
  const isAnyUnread = items.some((item) => !item.read);
  useLayoutEffect(() => {
    const [own, opener] = [panel.current, button.current];
    if (!own || !opener) return;
    own.showPopover();
    placeBeside(own, opener);
    title.current?.focus();
    // From the next press on the button closes the panel, and does not open it again.
    const timer = setTimeout(() => opener.popoverTargetElement = own);
    return () => {
      clearTimeout(timer);
      opener.popoverTargetElement = null;
    };
  }, []);

  return (
    <div
      ref={panel}
      popover="auto"
      role="dialog"
      aria-labelledby="notifications-title"
      className="menu notices"
      onToggle={(event) => event.newState === "closed" && onClose()}
    >
      <SheetGrip sheet={panel} />
      <div className="notices__head">
        <h2 id="notifications-title" ref={title} tabIndex={-1} className="notices__title">
          {t("notifications.title")}
        </h2>
        {isAnyUnread && (
          <Button
            variant="quiet"
            onClick={() => {
              title.current?.focus();
              void readAll();
            }}
          >
            {t("notifications.markAll")}
          </Button>
        )}
      </div>
      {(error !== null || isLoading && items.length === 0) && (
        <Loading failure={error ?? undefined} onRetry={reload} />
      )}
      {error === null && !isLoading && items.length === 0 && (
        <div className="notices__none">
          <p className="notices__calm">{t("notifications.none")}</p>
          <p>{t("notifications.noneText")}</p>
        </div>
      )}
      <ul className="notices__list" aria-busy={isLoading}>
        {items.map((item) => (
          <NotificationLine
            key={item.id}
            item={item}
            onOpen={() => {
              void read(item);
              panel.current?.hidePopover();
            }}
            onRead={() => void read(item)}
            onRemove={() => {
              if (items.length === 1) title.current?.focus();
              void remove(item);
            }}
          />
        ))}
      </ul>
      {next !== null && (
        <Button className="notices__more" variant="quiet" aria-busy={isLoading} onClick={loadMore}>
          {t("trash.more")}
        </Button>
      )}
    </div>
  );
}

/** The notifications that are shown, which follow what the server tells. */
function useNotifications() {
  const { t } = useTranslation();
  const { calls } = useApi();
  const toasts = useToasts();
  const news = useNotificationNews();
  const { edition } = news.value;
  const [api] = useState(() => new NotificationsApi(calls));
  const [items, setItems] = useState<readonly NotificationInfo[]>([]);
  const shown = useRef(items);
  shown.current = items;
  const [next, setNext] = useState<string | null>(null);
  const [error, setError] = useState<string | null>(null);
  const [isLoading, setLoading] = useState(true);

  const load = async (before?: string) => {
    setLoading(true);
    const answer = await api.list({ before });
    setLoading(false);
    setError(answer.ok ? null : reasonOf(t, answer));
    if (!answer.ok) return;
    const { value } = answer;
    setUnread(value.unread);
    const ids = new Set(value.items.map(({ id }) => id));
    const others = shown.current.filter(({ id }) => !ids.has(id));
    if (before !== undefined) {
      setItems([...others, ...value.items]);
      return setNext(value.next);
    }
    // News of the first page leave the further ones that are shown.
    const last = value.items.at(-1);
    const older = last && value.next !== null ? others.filter(({ time }) => time < last.time) : [];
    setItems([...value.items, ...older]);
    if (older.length === 0) setNext(value.next);
  };
  const setUnread = (unread: number) => {
    if (news.peek().unread !== unread) news.value = { ...news.peek(), unread };
  };
  useEffect(() => void load(), [edition]);

  return {
    ...{ items, next, error, isLoading },
    reload: () => load(),
    loadMore: () => void (next !== null && load(next)),
    async read(item: NotificationInfo) {
      if (item.read) return;
      setItems((all) => all.map((each) => each.id === item.id ? { ...each, read: true } : each));
      setUnread(Math.max(0, news.peek().unread - 1));
      await api.markRead(item.id);
    },
    async readAll() {
      const [latest] = items;
      if (!latest) return;
      const answer = await api.markAllRead(latest.time);
      if (!answer.ok) return toasts.error(reasonOf(t, answer));
      setItems((all) => all.map((each) => ({ ...each, read: true })));
      setUnread(0);
    },
    async remove(item: NotificationInfo) {
      setItems((all) => all.filter((each) => each.id !== item.id));
      if (!item.read) setUnread(Math.max(0, news.peek().unread - 1));
      const answer = await api.remove(item.id);
      // Another tab may have removed it before.
      const isGone = answer.ok || answer.status === 404;
      if (!isGone) toasts.error(reasonOf(t, answer));
      const isAllGone = shown.current.every(({ id }) => id === item.id);
      if (!isGone || (isAllGone && next !== null)) await load();
    },
  };
}

/** Positions the panel below its button, or above one at the foot, within the window. */
function placeBeside(panel: HTMLElement, button: HTMLElement): void {
  const { bottom, left, right } = button.getBoundingClientRect();
  const { clientHeight, clientWidth } = document.documentElement;
  const isMirrored = getComputedStyle(button).direction === "rtl";
  panel.style.top = `${bottom + 6}px`;
  panel.style.maxHeight = `${clientHeight - bottom - 14}px`;
  panel.style.insetInlineEnd = `${Math.max(8, isMirrored ? left : clientWidth - right)}px`;
}

interface NotificationLineProps {
  item: NotificationInfo;
  /** Called when the user goes to what it is about. */
  onOpen: () => void;
  /** Called instead where there is nothing to go to. */
  onRead: () => void;
  onRemove: () => void;
}

/**
 * A notification; a press marks it as read, and opens what it is about. It is removed by its button
 * or by the Delete key, and the focus goes to the one in its place.
 */
function NotificationLine({ item, onOpen, onRead, onRemove }: NotificationLineProps) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { kind, time, read } = item;
  const sentence = sentenceOf(t, item);
  const place = placeOf(BaseURL, item);
  const detail = detailOf(t, language, item);
  const line = useRef<HTMLLIElement>(null);
  const remove = (control: ".notice" | ".notices__remove") => {
    const { nextElementSibling: next, previousElementSibling: former } = line.current ?? {};
    (next ?? former)?.querySelector<HTMLElement>(control)?.focus();
    onRemove();
  };
  const content = (
    <>
      <Icon glyph={notificationGlyphs[kind]} />
      <span className="notice__text">
        <span className="notice__what" dir="auto" title={sentence}>{sentence}</span>
        <small className="notice__facts">
          <time dateTime={time} title={formatExact(time, language)}>
            {formatRelative(time, language)}
          </time>
          {detail !== "" && (
            <span className={kind === "job_failed" ? "notice__facts--failed" : undefined}>
              {detail}
            </span>
          )}
        </small>
      </span>
      {!read && <span className="notice__dot" />}
      {!read && <span className="unseen">{t("notifications.isUnread")}</span>}
    </>
  );
  return (
    <li
      ref={line}
      className="notices__item"
      onKeyDown={(event) => {
        if (event.key !== "Delete" || event.repeat) return;
        event.preventDefault();
        remove(".notice");
      }}
    >
      {place
        ? (
          <a
            className="notice"
            data-unread={!read || undefined}
            data-place={place.isFolder || undefined}
            href={place.href}
            aria-keyshortcuts="Delete"
            onClick={onOpen}
          >
            {content}
          </a>
        )
        : (
          <button
            type="button"
            className="notice"
            data-unread={!read || undefined}
            aria-keyshortcuts="Delete"
            onClick={onRead}
          >
            {content}
          </button>
        )}
      <IconButton
        className="notices__remove"
        label={t("notifications.remove", { what: sentence })}
        glyph={X}
        onClick={() => remove(".notices__remove")}
      />
    </li>
  );
}
