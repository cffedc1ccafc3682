import { X } from "lucide";
import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { formatExact, formatRelative } from "../../base/core/format.ts";
import { usePage } from "../../base/core/page.ts";
import type { NotificationInfo } from "../../../shared/schemas/notification.ts";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { detailOf, notificationGlyphs, placeOf, sentenceOf } from "./notification_words.ts";

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
export function NotificationLine({ item, onOpen, onRead, onRemove }: NotificationLineProps) {
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
