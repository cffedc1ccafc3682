import type { SettingsData } from "../../shared/settings_data.ts";
import type { Clock } from "../../shared/clock.ts";
import { GlobalTab } from "./site/GlobalTab.tsx";
import { SharesTab } from "./SharesTab.tsx";
import { UserForm } from "./users/UserForm.tsx";
import { UsersTab } from "./users/UsersTab.tsx";
import type { SessionInfo } from "../../shared/api_types.ts";
import { usePage } from "../core/page.ts";
import { PasswordCard } from "./profile/PasswordCard.tsx";
import { PreferencesCard } from "./profile/PreferencesCard.tsx";
import { SessionsCard } from "./profile/SessionsCard.tsx";

/** The data of a settings page. */
export interface SettingsBodyProps {
  shown: SettingsData;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The locales that have texts. */
  locales: readonly string[];
}

/** The content of the requested settings page. */
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

interface ProfileTabProps {
  sessions: SessionInfo[];
  clock: Clock;
  locales: readonly string[];
}

/** The settings that users change themselves. */
function ProfileTab({ sessions, clock, locales }: ProfileTabProps) {
  const { config, user } = usePage().data;
  // Otherwise a proxy authenticates users: there are neither passwords nor sign-ins.
  const signsIn = config.AuthMethod === "json";
  if (!user) return null;
  return (
    <>
      <PreferencesCard user={user} locales={locales} />
      {signsIn && !user.lockPassword && <PasswordCard user={user} />}
      {signsIn && <SessionsCard sessions={sessions} clock={clock} />}
    </>
  );
}
