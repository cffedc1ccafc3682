import type { TFunction } from "i18next";
import { guestName } from "./visitor_name.ts";
import { agentName } from "./agent_name.ts";
import type { JobAction } from "./schemas/job.ts";
import type { NotificationInfo } from "./schemas/notification.ts";

/** The facts of a notification that its sentence names. */
export type NotificationFacts = Pick<
  NotificationInfo,
  "kind" | "count" | "action" | "who" | "name" | "device"
>;

/**
 * The sentence of a notification, on the page and in a mail. Names in it are text, whatever they
 * hold.
 *
 * @param shown makes a name ready to stand in a sentence of another language
 */
export function notificationText(
  t: TFunction,
  notification: NotificationFacts,
  shown: (name: string) => string,
): string {
  const { kind, count, action } = notification;
  const who = notification.who === null ? "" : shown(notification.who);
  const name = shown(notification.name || t("files.myFiles"));
  switch (kind) {
    case "received": {
      const files = t("files.fileCount", { count });
      // A visitor's: whatever was typed, it is not that of a user.
      const about = { who: guestName(t, who), files, folder: name };
      return who ? t("notifications.receivedFrom", about) : t("notifications.received", about);
    }
    case "share_opened":
      return who ? t("notifications.openedBy", { who, name }) : t("notifications.opened", { name });
    case "share_used_up":
      return t("notifications.usedUp", { name });
    case "shared_with_me":
      return notification.name === null
        ? t("notifications.sharedLocked", { who })
        : t("notifications.shared", { who, name });
    case "job_done":
    case "job_failed": {
      const what = count > 1 ? t("history.more", { name, more: count - 1 }) : name;
      const act: JobAction = action ?? "copy";
      return t("notifications.job", { did: t(`history.${act}`), what });
    }
    case "quota_near":
      return t("notifications.quota");
    case "webhook_ended":
      return t("notifications.webhook", { name });
    case "new_device":
      return t("notifications.device", { device: shown(deviceOf(t, notification)) });
    case "factors_changed":
      return who ? t("notifications.factorsBy", { who }) : t("notifications.factors");
    case "password_changed":
      return who ? t("notifications.passwordBy", { who }) : t("notifications.password");
  }
}

function deviceOf(t: TFunction, { device }: NotificationFacts): string {
  const { browser, system } = agentName(device ?? "");
  return [browser || t("settings.unknownAgent"), system].filter(Boolean).join(", ");
}
