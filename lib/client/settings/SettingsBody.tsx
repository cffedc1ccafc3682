import type { SettingsData } from "./settings_data.ts";
import type { Clock } from "../core/use_clock.ts";
import { GlobalTab } from "./site/GlobalTab.tsx";
import { ProfileTab } from "./profile/ProfileTab.tsx";
import { SharesTab } from "./SharesTab.tsx";
import { UserForm } from "./users/UserForm.tsx";
import { UsersTab } from "./users/UsersTab.tsx";

/** What a page of the settings is given. */
export interface SettingsBodyProps {
  shown: SettingsData;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The locales that have texts. */
  locales: readonly string[];
}

/** What is on the page that was asked for. */
export function SettingsBody({ shown, clock, locales }: SettingsBodyProps) {
  switch (shown.tab) {
    case "profile":
      return <ProfileTab sessions={shown.sessions} clock={clock} locales={locales} />;
    case "shares":
      return <SharesTab shares={shown.shares} clock={clock} />;
    case "global":
      return <GlobalTab settings={shown.settings} locales={locales} />;
    case "users":
      return <UsersTab users={shown.users} />;
    case "user":
      return <UserForm user={shown.user} defaults={shown.defaults} locales={locales} />;
  }
}
