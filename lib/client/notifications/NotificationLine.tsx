import { formatExact, formatRelative } from "../core/format.ts";
import { usePage } from "../core/page.ts";
import { useTranslation } from "../core/use_translation.ts";
import type { NotificationInfo } from "../../shared/schemas/notification.ts";
import { Icon } from "../../../components/Icon.tsx";
import { detailOf, notificationGlyphs, placeOf, sentenceOf } from "./notification_words.ts";

interface NotificationLineProps {
  item: NotificationInfo;
  /** Called when the user goes to what it is about. */
  onOpen: () => void;
  /** Called instead where there is nothing to go to. */
  onRead: () => void;
}

/** A notification; a press marks it as read, and opens what it is about. */
export function NotificationLine({ item, onOpen, onRead }: NotificationLineProps) {
  const { t, language } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const { kind, time, read } = item;
  const sentence = sentenceOf(t, item);
  const place = placeOf(BaseURL, item);
  const detail = detailOf(t, language, item);
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
    <li>
      {place
        ? (
          <a
            className="notice"
            data-unread={!read || undefined}
            data-place={place.isFolder || undefined}
            href={place.href}
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
            onClick={onRead}
          >
            {content}
          </button>
        )}
    </li>
  );
}
