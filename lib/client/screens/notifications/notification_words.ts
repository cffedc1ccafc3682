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
import type { TFunction } from "i18next";
import { notificationText } from "../../../shared/notification_text.ts";
import { encodePath, parsePath } from "../../../shared/path.ts";
import type { NotificationInfo } from "../../../shared/schemas/notification.ts";
import {
  type NotificationKind,
  topicOfKind,
} from "../../../shared/schemas/choices/notification_choices.ts";
import { formatBytes, isolated } from "../../base/core/format.ts";

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

/** The sentence of a notification. */
export function sentenceOf(t: TFunction, notification: NotificationInfo): string {
  return notificationText(t, notification, isolated);
}

/** Its further details, if there are any. */
export function detailOf(t: TFunction, language: string, of: NotificationInfo): string {
  const { kind, bytes, failed, partial = 0, address } = of;
  if (kind === "received") return formatBytes(bytes, language);
  if (kind === "job_failed") {
    return [
      failed > partial && t("notifications.failed", { amount: failed - partial }),
      partial > 0 && t("notifications.incomplete", { amount: partial }),
    ].filter(Boolean).join(" · ");
  }
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
