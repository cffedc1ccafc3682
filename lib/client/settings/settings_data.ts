import type {
  Rule,
  SessionInfo,
  Settings,
  ShareInfo,
  UserInfo,
  UserPreferences,
} from "../../shared/api_types.ts";

/** A share in the table of all of them. */
export interface SharedItem extends ShareInfo {
  /** Whose it is; for administrators alone. */
  username?: string;
}

/** What each page of the settings shows, as it was when the server sent it. */
export type SettingsData =
  | { tab: "profile"; sessions: SessionInfo[] }
  | { tab: "shares"; shares: SharedItem[] }
  | { tab: "global"; settings: Settings }
  | { tab: "users"; users: UserInfo[] }
  | { tab: "user"; user: UserInfo | null; defaults: NewUserDefaults };

/** What a form for users needs to know of the settings. */
export interface NewUserDefaults {
  preferences: UserPreferences;
  /** Who gets no scope gets a home. */
  createUserDir: boolean;
  /** Those that apply before the user's own. */
  rules: Rule[];
}
