import { KeyRound, Plus } from "lucide";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { ApiTokenInfo, NewApiToken } from "../../../../shared/schemas/api_token.ts";
import { formatExact, formatRelative } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import type { Clock } from "../../../../shared/clock.ts";
import { usePrompts } from "../../../base/core/use_site.ts";
import { Button } from "../../../../../components/Button.tsx";
import { ListRow } from "../ListRow.tsx";
import { Card } from "../../../../../components/Card.tsx";
import { NewTokenForm, NewTokenNote } from "./NewTokenForm.tsx";

interface ApiTokensCardProps {
  tokens: ApiTokenInfo[];
  clock: Clock;
  /** The tokens of another user, which can only be revoked. */
  ofOther?: boolean;
}

/** The API tokens of a user: made, listed and revoked. */
export function ApiTokensCard({ tokens, clock, ofOther = false }: ApiTokensCardProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const prompts = usePrompts();
  const sending = useSending();
  const [shown, setShown] = useState(tokens);
  const [isAdding, setAdding] = useState(false);
  const [made, setMade] = useState<NewApiToken | null>(null);

  const revoke = async ({ id, name }: ApiTokenInfo) => {
    const title = t("tokens.sure", { name });
    const asked = { title, text: t("tokens.sureText"), act: t("tokens.revoke") };
    if (!await prompts.open("confirm", asked)) return;
    const answer = await sending.send(() => account.revokeToken(id), { password: "never" });
    if (!answer.ok && answer.status !== 404) return;
    setShown((before) => before.filter((token) => token.id !== id));
    if (made?.id === id) setMade(null);
  };
  const take = (token: NewApiToken) => {
    setShown((before) => [token, ...before]);
    setMade(token);
    setAdding(false);
  };

  return (
    <Card
      id="tokens"
      title={t("tokens.title")}
      text={ofOther ? t("tokens.textOfOther") : t("tokens.text")}
      acts={!ofOther && !isAdding && (
        <Button
          glyph={Plus}
          onClick={() => {
            setMade(null);
            setAdding(true);
          }}
        >
          {t("tokens.add")}
        </Button>
      )}
    >
      {made && <NewTokenNote token={made.token} />}
      {shown.length > 0 && (
        <ul>
          {shown.map((token) => (
            <TokenRow
              key={token.id}
              token={token}
              clock={clock}
              onRevoke={() => void revoke(token)}
            />
          ))}
        </ul>
      )}
      {isAdding && <NewTokenForm onMade={take} onCancel={() => setAdding(false)} />}
    </Card>
  );
}

interface TokenRowProps {
  token: ApiTokenInfo;
  clock: Clock;
  onRevoke: () => void;
}

function TokenRow({ token, clock: server, onRevoke }: TokenRowProps) {
  const { t, i18n: { language } } = useTranslation();
  const { now, timeZone } = useClock(server);
  const { name, expires, lastUsed } = token;
  const isOver = expires !== null && Date.parse(expires) <= now;
  const rights = [
    token.write ? t("tokens.write") : t("tokens.read"),
    ...token.share ? [t("tokens.share")] : [],
  ];
  return (
    <ListRow
      glyph={KeyRound}
      name={
        <>
          <bdi>{name}</bdi>
          {isOver && <span className="badge">{t("tokens.ended")}</span>}
        </>
      }
      facts={
        <>
          {rights.map((words) => <span key={words}>{words}</span>)}
          {token.bound && <bdi>{token.folder ?? t("tokens.lost")}</bdi>}
          {!isOver && expires !== null && (
            <span>
              {t("tokens.until", { when: formatExact(expires, language, timeZone) })}
            </span>
          )}
          <span>
            {lastUsed === null
              ? t("tokens.unused")
              : t("tokens.used", { when: formatRelative(lastUsed, language, now) })}
          </span>
        </>
      }
    >
      <Button aria-label={t("tokens.revokeNamed", { name })} onClick={onRevoke}>
        {t("tokens.revoke")}
      </Button>
    </ListRow>
  );
}
