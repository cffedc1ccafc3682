import type { NotificationInfo, NotificationPage } from "../../../shared/schemas/notification.ts";
import type { Result } from "../../../shared/result.ts";
import type { Calls } from "../../base/api/calls.ts";
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
import {
  type NotificationKind,
  topicOfKind,
} from "../../../shared/schemas/choices/notification_choices.ts";
import { formatBytes, isolated } from "../../base/core/format.ts";

/** The client of the calls about one's own notifications. */
export class NotificationsApi {
  readonly #calls: Calls;

  /** @param calls those of the page's client, with which it shares the session */
  constructor(calls: Calls) {
    this.#calls = calls;
  }

  /** A page of them, the latest first. @param before `next` of the page before */
  list(
    { before, limit }: { before?: string; limit?: number } = {},
  ): Promise<Result<NotificationPage>> {
    return this.#calls.json("GET /api/notifications", { query: { before, limit } });
  }

  /** Marks one as read, also while the page is left for what it is about. */
  markRead(id: string): Promise<Result<void>> {
    const json = { read: true };
    return this.#calls.done("PATCH /api/notifications/{id}", {
      params: { id },
      ...{ json, outlives: true },
    });
  }

  /** Removes one. */
  remove(id: string): Promise<Result<void>> {
    return this.#calls.done("DELETE /api/notifications/{id}", { params: { id } });
  }

  /** Marks all as read. @param until leaves those alone that came later */
  markAllRead(until: string): Promise<Result<void>> {
    const json = { read: true, until };
    return this.#calls.done("PATCH /api/notifications", { json });
  }
}

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
