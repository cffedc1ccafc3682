import { useTranslation } from "react-i18next";
import { Card } from "../../../../components/Card.tsx";
import type { SettingsData } from "../../../shared/settings_data.ts";
import type { Clock } from "../../../shared/clock.ts";
import { ActivityTab } from "./activity/ActivityTab.tsx";
import { CheckTab } from "./site/CheckTab.tsx";
import { HowToStart } from "./site/FeatureState.tsx";
import { GlobalTab } from "./site/GlobalTab.tsx";
import { GroupForm } from "./groups/GroupForm.tsx";
import { GroupsTab } from "./groups/GroupsTab.tsx";
import { RequestsTable } from "./RequestsTable.tsx";
import { SharesTab } from "./SharesTab.tsx";
import { WebhooksTab } from "./webhooks/WebhooksTab.tsx";
import { UserForm } from "./users/UserForm.tsx";
import { UsersTab } from "./users/UsersTab.tsx";
import type { ApiTokenInfo } from "../../../shared/schemas/api_token.ts";
import type { SessionInfo } from "../../../shared/schemas/session.ts";
import type { MutableTopic } from "../../../shared/schemas/choices/notification_choices.ts";
import type { Factors } from "../../../shared/schemas/factors.ts";
import { EnrolScreen } from "./factors/EnrolScreen.tsx";
import { FactorsCard } from "./factors/FactorsCard.tsx";
import { isEmptyList, type ListPage } from "../../../shared/list_page.ts";
import { usePage } from "../../base/core/page.ts";
import { ApiTokensCard } from "./profile/ApiTokensCard.tsx";
import { DriveCard } from "./profile/DriveCard.tsx";
import { NotificationsCard } from "./profile/NotificationsCard.tsx";
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
      return <ProfileTab {...shown} clock={clock} locales={locales} />;
    case "enrol":
      return <EnrolScreen next={shown.next} clock={clock} />;
    case "shares":
      return (
        <>
          {(!isEmptyList(shown.shares) || isEmptyList(shown.requests)) && (
            <SharesTab shares={shown.shares} clock={clock} />
          )}
          <RequestsTable requests={shown.requests} clock={clock} />
        </>
      );
    case "global":
      return <GlobalTab settings={shown.settings} own={shown.own} locales={locales} />;
    case "check":
      return <CheckTab {...shown} clock={clock} />;
    case "webhooks":
      return <WebhooksTab webhooks={shown.webhooks} clock={clock} />;
    case "activity":
      return <ActivityTab {...shown} clock={clock} />;
    case "users":
      return <UsersTab {...shown} clock={clock} />;
    case "groups":
      return <GroupsTab groups={shown.groups} />;
    case "group":
      return <GroupForm {...shown} />;
    case "user":
      return (
        <>
          <UserForm {...shown} locales={locales} />
          {shown.tokens.length > 0 && <ApiTokensCard tokens={shown.tokens} clock={clock} ofOther />}
        </>
      );
  }
}

interface ProfileTabProps {
  /** The address of WebDAV; absent while there is none. */
  drive?: string;
  /** Kinds of notifications that the user has turned off. */
  muted: readonly MutableTopic[];
  /** The user's mail address, and whether notifications are sent there. */
  mail: string;
  isMailed: boolean;
  sessions: ListPage<SessionInfo>;
  factors: Factors;
  tokens: ApiTokenInfo[];
  clock: Clock;
  locales: readonly string[];
}

/** The settings that users change themselves. */
function ProfileTab(
  { muted, mail, isMailed, sessions, factors, tokens, drive, clock, locales }: ProfileTabProps,
) {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  // Without a login page a proxy authenticates users: there are neither passwords nor sign-ins.
  const signsIn = config.LoginPage;
  if (!user) return null;
  return (
    <>
      <PreferencesCard user={user} locales={locales} />
      {signsIn && !user.lockPassword && <PasswordCard user={user} />}
      <NotificationsCard {...{ user, muted, mail, isMailed }} />
      {signsIn && !config.Provider?.Only && <FactorsCard factors={factors} clock={clock} />}
      {signsIn && <SessionsCard sessions={sessions} clock={clock} />}
      {signsIn && <ApiTokensCard tokens={tokens} clock={clock} />}
      {drive !== undefined
        ? <DriveCard address={drive} />
        : user.perm.admin && (
          <Card id="drive" title={t("drive.title")} text={t("features.webdavText")}>
            <HowToStart name="webdav" />
          </Card>
        )}
    </>
  );
}
