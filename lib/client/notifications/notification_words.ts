import {
  Download,
  FolderDown,
  HardDrive,
  type IconNode,
  Link2,
  ListChecks,
  MonitorSmartphone,
  ShieldCheck,
  Users,
  Webhook,
} from "lucide";
import { agentName } from "../../shared/agent_name.ts";
import type { Translate } from "../../shared/i18n/instance.ts";
import { encodePath, parsePath } from "../../shared/path.ts";
import type { JobAction } from "../../shared/schemas/job.ts";
import type { NotificationInfo } from "../../shared/schemas/notification.ts";
import {
  type NotificationKind,
  topicOfKind,
} from "../../shared/schemas/choices/notification_choices.ts";
import { formatBytes, isolated } from "../core/format.ts";

/** The glyphs of the kinds. */
export const notificationGlyphs: Record<NotificationKind, IconNode> = {
  received: FolderDown,
  share_opened: Link2,
  share_used_up: Download,
  shared_with_me: Users,
  job_done: ListChecks,
  job_failed: ListChecks,
  quota_near: HardDrive,
  webhook_ended: Webhook,
  new_device: MonitorSmartphone,
  factors_changed: ShieldCheck,
  password_changed: ShieldCheck,
};

/** The sentence of a notification. Names in it are text, whatever they hold. */
export function sentenceOf(t: Translate, notification: NotificationInfo): string {
  const { kind, count, action } = notification;
  const who = notification.who === null ? "" : isolated(notification.who);
  const name = isolated(notification.name || t("files.myFiles"));
  switch (kind) {
    case "received": {
      const files = t("files.fileCount", { count });
      const about = { who, files, folder: name };
      return who ? t("notifications.receivedFrom", about) : t("notifications.received", about);
    }
    case "share_opened":
      return who ? t("notifications.openedBy", { who, name }) : t("notifications.opened", { name });
    case "share_used_up":
      return t("notifications.usedUp", { name });
    case "shared_with_me":
      return t("notifications.shared", { who, name });
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
      return t("notifications.device", { device: deviceOf(t, notification) });
    case "factors_changed":
      return who ? t("notifications.factorsBy", { who }) : t("notifications.factors");
    case "password_changed":
      return who ? t("notifications.passwordBy", { who }) : t("notifications.password");
  }
}

/** Its further details, if there are any. */
export function detailOf(t: Translate, language: string, of: NotificationInfo): string {
  const { kind, bytes, failed, address } = of;
  if (kind === "received") return formatBytes(bytes, language);
  if (kind === "job_failed") return t("notifications.failed", { amount: failed });
  return topicOfKind[kind] === "security" && address ? isolated(address) : "";
}

/** Where a notification leads; null where there is nothing to see any more. */
export function placeOf(
  base: string,
  { kind, path, link }: NotificationInfo,
): { href: string; isFolder: boolean } | null {
  const page = (href: string) => ({ href: base + href, isFolder: false });
  switch (topicOfKind[kind]) {
    case "requests":
    case "jobs": {
      if (path === null) return null;
      const folder = encodePath(parsePath(path).path, { folder: true });
      return { href: `${base}/files${folder}`, isFolder: true };
    }
    case "shares":
      return page("/shared");
    case "shared":
      return page(link === null ? "/shared-with-me" : `/share/${link}`);
    case "quota":
      return page("/trash");
    case "server":
      return page("/settings/webhooks");
    case "security":
      return page(`/settings/profile#${kind === "new_device" ? "sessions" : "factors"}`);
  }
}

function deviceOf(t: Translate, { device }: NotificationInfo): string {
  const { browser, system } = agentName(device ?? "");
  return isolated([browser || t("settings.unknownAgent"), system].filter(Boolean).join(", "));
}
