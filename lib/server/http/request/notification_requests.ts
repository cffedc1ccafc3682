import { isoOf } from "../../../shared/time.ts";
import { createHash } from "node:crypto";
import type { Context } from "fresh";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import {
  type NotificationTopic,
  topicOfKind,
  usualPage,
} from "../../../shared/schemas/choices/notification_choices.ts";
import type { NotificationInfo, NotificationPage } from "../../../shared/schemas/notification.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Access } from "../../core/access/access.ts";
import type { ApiToken } from "../../features/accounts/auth/api_token.ts";
import type { State } from "../define.ts";
import type { StoredNotification } from "../../features/notifications/notification.ts";
import { shownPlace } from "../../features/places/shown_place.ts";
import { rightTo } from "../../features/links/shares/share.ts";
import type { User } from "../../features/accounts/users/user.ts";
import { signedInOf } from "../middleware/sign_in.ts";
import { jsonTextAnswer } from "../response/answers.ts";
import { notModified } from "../response/downloads.ts";
import { accessFor } from "./access_for.ts";
import { countOption } from "./query.ts";

/** Most notifications of one page. */
const maxListed = 100;

/** The right that an API token needs for notifications of a topic; none sees the others. */
const tokenTopics: Partial<Record<NotificationTopic, "read" | "share">> = {
  requests: "share",
  shares: "share",
  shared: "share",
  jobs: "read",
  quota: "read",
};

/** A page of the notifications of a request's user: `?before=&limit=`; 304 for one that is known. */
export async function notificationsAnswer(ctx: Context<State>): Promise<Response> {
  const json = JSON.stringify(await notificationsOf(ctx));
  const etag = `"${createHash("sha256").update(json).digest("base64url").slice(0, 22)}"`;
  const headers = new Headers({ etag });
  // There is no time of change that would tell more than the tag.
  const validators = { etag, modified: new Date(NaN) };
  return notModified(ctx.req, validators, headers, "list") ?? jsonTextAnswer(json, { headers });
}

async function notificationsOf(ctx: Context<State>): Promise<NotificationPage> {
  const { user, token } = signedInOf(ctx);
  const query = ctx.url.searchParams;
  const limit = Math.min(countOption(query, "limit") || usualPage, maxListed);
  const isAfter = afterOption(query.get("before") ?? "");
  const seen = (await ctx.state.cubby.notifications.records.list(user.id)).filter((each) =>
    isVisible(each, token)
  );
  const rest = seen.filter(isAfter);
  const page = rest.slice(0, limit);
  const last = page.at(-1);
  const access = accessFor(ctx);
  return {
    unread: seen.filter(({ read }) => !read).length,
    items: await Promise.all(page.map((each) => infoOf(ctx, access, user, each))),
    next: last && rest.length > page.length ? `${last.at}~${last.id}` : null,
  };
}

function isVisible({ kind }: StoredNotification, token: ApiToken | undefined): boolean {
  if (!token) return true;
  const need = tokenTopics[topicOfKind[kind]];
  return need === "read" || (need === "share" && token.share);
}

/**
 * Reads `?before=`, the place in the list at which a page begins: it stays there when what was at
 * it is gone or has moved.
 *
 * @throws DomainError `invalid_option`
 */
function afterOption(before: string): (notification: StoredNotification) => boolean {
  if (before === "") return () => true;
  const [, time, id] = /^(\d{1,16})~([\w-]{1,64})$/.exec(before) ?? [];
  if (time === undefined || id === undefined) {
    throw new DomainError(
      "invalid_option",
      `Cannot read "before": "${before}" is not a position in the list`,
    );
  }
  const at = Number(time);
  return (each) => each.at < at || (each.at === at && each.id < id);
}

async function infoOf(
  ctx: Context<State>,
  access: Access,
  user: User,
  notification: StoredNotification,
): Promise<NotificationInfo> {
  const { id, kind, at, read, who, name, count, bytes, failed, partial, action, device, address } =
    notification;
  const target = await targetOf(ctx, user, notification);
  const place = target?.place ?? notification.place;
  const shown = place === undefined ? undefined : shownPlace(access, { path: place, place });
  return {
    ...{ id, kind, time: isoOf(at), read, who: who ?? null },
    // Entries that a rule hides by now are not named.
    name: shown === null ? null : name ?? null,
    path: shown && shown.entry !== "gone" ? shown.path : null,
    link: target ? notification.link ?? null : null,
    ...{ count: count ?? 0, bytes: bytes ?? 0, failed: failed ?? 0 },
    ...partial && { partial },
    ...{ action: action ?? null, device: device ?? null, address: address ?? null },
  };
}

/** The share or the request as it is now, while the user may use it. */
async function targetOf(
  { state: { cubby } }: Context<State>,
  user: User,
  { kind, link }: StoredNotification,
): Promise<{ place?: EntryPath } | null> {
  if (link === undefined) return null;
  return await unlessRefused(async () => {
    if (kind === "received") return await cubby.requests.get(link);
    const share = await cubby.shares.get(link);
    if (kind === "shared_with_me") {
      return rightTo(share, user, await cubby.settings.get()) === null ? null : {};
    }
    return share.userId === user.id ? share : null;
  }, "not_found");
}
