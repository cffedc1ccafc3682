import { Bell } from "lucide";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../../components/Icon.tsx";
import { lazy } from "../../../base/core/lazy.ts";
import { usePage } from "../../../base/core/page.ts";
import { useNotificationNews } from "../../../base/core/use_panels.ts";
import { useApi, useLazy } from "../../../base/core/use_site.ts";

const panel = lazy(() => import("../../../screens/notifications/NotificationPanel.tsx"));

/** The largest number that the badge of the bell has room for. */
const LARGEST = 99;

/** Opens the notifications, and shows how many are not read. */
export function BellButton() {
  const { t } = useTranslation();
  const { unread } = useNotificationNews().value;
  const button = useRef<HTMLButtonElement>(null);
  const [isOpen, setOpen] = useState(false);
  const code = useLazy(panel, isOpen);
  useFreshNews();
  const title = t("notifications.title");
  const amount = t("notifications.unread", { amount: unread });
  const label = unread > 0 ? `${title}, ${amount}` : title;
  return (
    <div className="bell">
      <button
        type="button"
        ref={button}
        className="button button--quiet button--icon"
        aria-haspopup="dialog"
        aria-expanded={isOpen}
        aria-label={label}
        title={label}
        onClick={() => setOpen(true)}
      >
        <Icon glyph={Bell} />
        {unread > 0 && (
          <span className="bell__count" aria-hidden="true">
            {unread > LARGEST ? `${LARGEST}+` : unread}
          </span>
        )}
      </button>
      <span className="unseen" role="status">{unread > 0 && amount}</span>
      {isOpen && code && <code.NotificationPanel button={button} onClose={() => setOpen(false)} />}
    </div>
  );
}

/** Where no stream tells of them, the count is read when the page is looked at again. */
function useFreshNews(): void {
  const { files } = usePage().data;
  const api = useApi();
  const news = useNotificationNews();
  useEffect(() => {
    if (files) return;
    const look = async () => {
      if (document.visibilityState !== "visible") return;
      const code = await panel.load();
      const answer = await code?.readNews(api.calls);
      if (answer) news.value = answer;
    };
    const listener = () => void look();
    document.addEventListener("visibilitychange", listener);
    return () => document.removeEventListener("visibilitychange", listener);
  }, []);
}
