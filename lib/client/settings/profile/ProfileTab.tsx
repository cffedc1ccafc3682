import type { SessionInfo } from "../../../shared/api_types.ts";
import { usePage } from "../../core/page.ts";
import type { Clock } from "../../core/use_clock.ts";
import { PasswordCard } from "./PasswordCard.tsx";
import { PreferencesCard } from "./PreferencesCard.tsx";
import { SessionsCard } from "./SessionsCard.tsx";

interface ProfileTabProps {
  sessions: SessionInfo[];
  clock: Clock;
  locales: readonly string[];
}

/** What users settle for themselves. */
export function ProfileTab({ sessions, clock, locales }: ProfileTabProps) {
  const { config, user } = usePage().data;
  // Elsewhere the server has users vouched for: there are neither passwords nor sign-ins.
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
