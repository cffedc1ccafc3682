import { Monitor, Smartphone } from "lucide";
import { useTranslation } from "react-i18next";
import type { SessionInfo } from "../../../../shared/schemas/session.ts";
import { agentName } from "../../../../shared/agent_name.ts";
import type { ListPage } from "../../../../shared/list_page.ts";
import { PagedList } from "../../../base/ui/lists/PagedTable.tsx";
import { useList } from "../../../base/ui/lists/use_list.ts";
import { formatExact, formatList, formatRelative } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import type { Clock } from "../../../../shared/clock.ts";
import { Button } from "../../../../../components/Button.tsx";
import { ListRow } from "../ListRow.tsx";
import { Card } from "../../../../../components/Card.tsx";

interface SessionsCardProps {
  sessions: ListPage<SessionInfo>;
  clock: Clock;
}

/** The user's sessions, this one first; the others can be ended. */
export function SessionsCard({ sessions, clock }: SessionsCardProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const sending = useSending();
  const shown = useList(sessions, "GET /api/sessions");
  const others = shown.items.filter(({ current }) => !current);
  const ordered = [...shown.items.filter(({ current }) => current), ...others];

  const end = async (sid: string) => {
    const answer = await sending.send(() => account.endSession(sid), { password: "never" });
    const isGone = answer.ok || answer.status === 404;
    if (isGone) shown.change((before) => before.filter((session) => session.sid !== sid));
  };
  const endOthers = async () => {
    const answer = await sending.send(() => account.endOtherSessions(), { password: "never" });
    if (answer.ok) await shown.reload();
  };

  return (
    <Card
      id="sessions"
      title={t("settings.sessions")}
      text={t("settings.sessionsText")}
      acts={(others.length > 0 || shown.next !== null) && (
        <Button
          aria-busy={sending.busy}
          onClick={() => void endOthers()}
        >
          {t("settings.endOthers")}
        </Button>
      )}
    >
      <PagedList list={shown}>
        <ul>
          {ordered.map((session) => (
            <SessionRow
              key={session.sid}
              session={session}
              clock={clock}
              onEnd={() => void end(session.sid)}
            />
          ))}
        </ul>
      </PagedList>
    </Card>
  );
}

interface SessionRowProps {
  session: SessionInfo;
  clock: Clock;
  onEnd: () => void;
}

function SessionRow({ session, clock: server, onEnd }: SessionRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { now, timeZone } = useClock(server);
  const { browser, system } = agentName(session.agent);
  const isPhone = system === "iPhone" || system === "iPad" || system === "Android";
  const name = formatList([browser || t("settings.unknownAgent"), system], language);
  const created = formatExact(session.created, language, timeZone);
  return (
    <ListRow
      glyph={isPhone ? Smartphone : Monitor}
      name={
        <>
          {name}
          {session.current && <span className="badge">{t("settings.thisSession")}</span>}
        </>
      }
      title={session.agent}
      facts={
        <>
          <bdi>{session.address}</bdi>
          <span>{t("settings.signedIn", { when: created })}</span>
          {!session.current && (
            <span>
              {t("settings.lastSeen", { when: formatRelative(session.lastSeen, language, now) })}
            </span>
          )}
        </>
      }
    >
      {!session.current && (
        <Button
          aria-label={t("settings.endSession", { name, address: session.address })}
          onClick={onEnd}
        >
          {t("settings.end")}
        </Button>
      )}
    </ListRow>
  );
}
