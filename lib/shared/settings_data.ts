import type { ApiTokenInfo } from "./schemas/api_token.ts";
import type { Entry } from "./schemas/entry.ts";
import type { RequestInfo } from "./schemas/request.ts";
import type { Rule } from "./schemas/rights.ts";
import type { ServerCheck } from "./schemas/server_check.ts";
import type { SessionInfo } from "./schemas/session.ts";
import type { Settings } from "./schemas/settings.ts";
import type { ShareInfo } from "./schemas/share.ts";
import type { UserFields, UserInfo } from "./schemas/user.ts";
import type { ListPage } from "./list_page.ts";
import type { AuditPage } from "./schemas/audit.ts";
import type { AuditAction, AuditGroup, AuditLevel } from "./schemas/choices/audit_choices.ts";
import type { Placed } from "./named_roots.ts";
import type { InviteInfo } from "./schemas/invite.ts";
import type { GroupInfo } from "./schemas/group.ts";
import type { Factors } from "./schemas/factors.ts";
import type { MutableTopic } from "./schemas/choices/notification_choices.ts";
import type { WebhookInfo } from "./schemas/webhook.ts";

/** A share in the table of all of them. */
export interface SharedItem extends ShareInfo {
  /** Its owner; for administrators alone. */
  username?: string;
  /** Its present target; on the page of one's own shares alone. */
  state?: "file" | "folder" | "gone";
  /** What thumbnails need to know of a file; on that page, too. */
  file?: Pick<Entry, "size" | "modified">;
}

/** A request for files in the table of all of them. */
export interface RequestItem extends RequestInfo {
  /** Its owner; for administrators alone. */
  username?: string;
}

/** Which activities the page shows; "" for any. */
export interface ActivityFilter {
  user: string;
  /** One action, or all of a group. */
  action: AuditAction | AuditGroup | "";
  path: string;
  /** The first and the last day, in UTC: "2026-11-25". */
  since: string;
  until: string;
}

/** The data of each settings page, as the server rendered it. */
export type SettingsData =
  | {
    tab: "profile";
    /** Kinds of notifications that the user has turned off. */
    muted: MutableTopic[];
    /** The user's mail address, and whether notifications are sent there. */
    mail: string;
    isMailed: boolean;
    sessions: ListPage<SessionInfo>;
    factors: Factors;
    tokens: ApiTokenInfo[];
    /** The address of WebDAV; absent while there is none. */
    drive?: string;
  }
  | { tab: "enrol"; next: string }
  | { tab: "shares"; shares: ListPage<SharedItem>; requests: ListPage<RequestItem> }
  /** With the administrator's own place, which gives own paths their meaning. */
  | { tab: "global"; settings: Settings; own: Placed }
  | { tab: "check"; check: ServerCheck; hasWebdav: boolean }
  /** Null while the server sends none. */
  | { tab: "webhooks"; webhooks: WebhookInfo[] | null }
  | {
    tab: "activity";
    level: AuditLevel;
    filter: ActivityFilter;
    isFiltered: boolean;
    /** The filter as `GET /api/audit` takes it. */
    query: string;
    /** The time zone of the filter's days. */
    zone: string;
    first: AuditPage;
  }
  | { tab: "users"; users: ListPage<UserInfo>; invites: ListPage<InviteInfo> | null }
  | { tab: "groups"; groups: ListPage<GroupRow> }
  | {
    tab: "group";
    /** Null for a new one. */
    group: GroupInfo | null;
    /** The first of those who may be in it, and of those who are: all, where there are not many. */
    users: ListPage<UserName>;
    members: ListPage<UserName>;
    /** The global rules, which come before those of a group. */
    rules: Rule[];
    own: Placed;
  }
  | {
    tab: "user";
    user: UserInfo | null;
    /** The first groups, and those of the user. */
    groups: GroupRow[];
    /** There are others. */
    hasMoreGroups: boolean;
    defaults: NewUserDefaults;
    factors: Factors;
    tokens: ApiTokenInfo[];
    /** The administrator's own place, which gives own paths their meaning. */
    own: Placed;
  };

/** A group in the table of all of them. */
export interface GroupRow extends Omit<GroupInfo, "members"> {
  memberCount: number;
}

/** A user in a list to choose from. */
export type UserName = Pick<UserInfo, "id" | "username">;

/** The settings that the user form needs. */
export interface NewUserDefaults {
  fields: UserFields;
  /** A user without a scope gets a home folder. */
  createUserDir: boolean;
  /** The global rules, which apply before the user's own. */
  rules: Rule[];
}
