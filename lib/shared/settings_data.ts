import type {
  ApiTokenInfo,
  Rule,
  SessionInfo,
  Settings,
  ShareInfo,
  UserFields,
  UserInfo,
} from "./api_types.ts";
import type { Factors } from "./schemas/factors.ts";
import type { WebhookInfo } from "./schemas/webhook.ts";

/** A share in the table of all of them. */
export interface SharedItem extends ShareInfo {
  /** Its owner; for administrators alone. */
  username?: string;
  /** What it leads to now; on the page of one's own shares alone. */
  state?: "file" | "folder" | "gone";
}

/** The data of each settings page, as the server rendered it. */
export type SettingsData =
  | {
    tab: "profile";
    sessions: SessionInfo[];
    factors: Factors;
    tokens: ApiTokenInfo[];
    /** The address of WebDAV; absent while there is none. */
    drive?: string;
  }
  | { tab: "enrol"; next: string }
  | { tab: "shares"; shares: SharedItem[] }
  | { tab: "global"; settings: Settings }
  | { tab: "webhooks"; webhooks: WebhookInfo[] }
  | { tab: "users"; users: UserInfo[] }
  | {
    tab: "user";
    user: UserInfo | null;
    defaults: NewUserDefaults;
    factors: Factors;
    tokens: ApiTokenInfo[];
  };

/** The settings that the user form needs. */
export interface NewUserDefaults {
  fields: UserFields;
  /** A user without a scope gets a home folder. */
  createUserDir: boolean;
  /** The global rules, which apply before the user's own. */
  rules: Rule[];
}
