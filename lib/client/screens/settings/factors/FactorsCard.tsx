import { KeyRound, Smartphone } from "lucide";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Clock } from "../../../../shared/clock.ts";
import { maxPasskeyNameLength } from "../../../../shared/schemas/choices/choices.ts";
import type { Factors, TotpSetup } from "../../../../shared/schemas/factors.ts";
import type { PasskeyInfo } from "../../../../shared/schemas/passkeys.ts";
import { usePrompts, useToasts } from "../../../base/core/use_site.ts";
import { usePasskeySupport } from "../../../base/session/use_passkey.ts";
import { Button } from "../../../../../components/Button.tsx";
import { Card } from "../../../../../components/Card.tsx";
import { ListRow } from "../ListRow.tsx";
import { useSending } from "../use_sending.ts";
import { useFactors } from "./factors_api.ts";
import { PasskeyForm } from "./PasskeyForm.tsx";
import { PasskeyRow } from "./PasskeyRow.tsx";
import { RecoveryCodesView } from "./RecoveryCodesView.tsx";
import { TotpForm } from "./TotpForm.tsx";
import { useProved } from "./use_proved.ts";

interface FactorsCardProps {
  factors: Factors;
  /** The server's clock, for the first rendering. */
  clock: Clock;
  /** The first factor is set up, and the recovery codes are saved. */
  onEnrolled?: () => void;
}

/** The user's second factors: set up, removed, and the recovery codes made anew. */
export function FactorsCard({ factors: initial, clock, onEnrolled }: FactorsCardProps) {
  const { t } = useTranslation();
  const factors = useFactors();
  const toasts = useToasts();
  const prompts = usePrompts();
  const sending = useSending();
  const takesPasskeys = usePasskeySupport();
  const [now, setNow] = useState(initial);
  const [setup, setSetup] = useState<TotpSetup | "passkey" | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const proved = useProved(now);
  const hasFactors = now.totp || now.passkeys.length > 0;

  const begin = async () => {
    const answer = await sending.send(() => factors.beginTotp(), { password: "never" });
    if (answer.ok) setSetup(answer.value);
  };
  const reread = async () => {
    const answer = await sending.send(() => factors.get(), { password: "never" });
    if (answer.ok) setNow(answer.value);
    return answer.ok ? answer.value : null;
  };
  const finish = async (fresh: string[]) => {
    setSetup(null);
    if (fresh.length > 0) setCodes(fresh);
    toasts.success(t(fresh.length > 0 ? "factors.isOn" : "passkeys.added"));
    await reread();
  };
  const tellRemoved = async () => {
    const left = await reread();
    const isLeft = left && (left.totp || left.passkeys.length > 0);
    toasts.success(t(isLeft ? "passkeys.removed" : "factors.isOff"));
  };
  const removeTotp = async () => {
    const question = {
      title: t("factors.removeTitle"),
      text: t(now.passkeys.length > 0 ? "passkeys.keptText" : "factors.removeText"),
      act: t("factors.removeApp"),
    };
    const answer = await proved(question, (credentials) => factors.removeTotp(credentials));
    if (answer.ok) await tellRemoved();
  };
  const removePasskey = async ({ id, name }: PasskeyInfo) => {
    const question = {
      title: t("passkeys.removeTitle", { name }),
      text: t("passkeys.removeText"),
      act: t("passkeys.remove"),
    };
    const answer = await proved(question, (credentials) => factors.removePasskey(id, credentials));
    if (answer.ok) await tellRemoved();
  };
  const renamePasskey = async ({ id, name }: PasskeyInfo) => {
    const title = t("prompts.renameTitle", { name });
    const question = {
      title,
      label: t("passkeys.name"),
      former: name,
      longest: maxPasskeyNameLength,
    };
    const typed = await prompts.open("relabel", question);
    if (typed === null) return;
    const answer = await sending.send(() => factors.renamePasskey(id, typed), {
      password: "never",
    });
    if (answer.ok) toasts.success(t("toasts.renamed", { name: answer.value.name }));
    await reread();
  };
  const renew = async () => {
    const question = {
      title: t("factors.renewTitle"),
      text: t("factors.renewText"),
      act: t("factors.renew"),
    };
    const answer = await proved(question, (credentials) => factors.renewRecovery(credentials));
    if (!answer.ok) return;
    setCodes(answer.value);
    setNow({ ...now, recoveryCodes: answer.value.length });
  };

  return (
    <Card
      id="factors"
      title={t("factors.title")}
      text={t("factors.text")}
      acts={!setup && !codes && (!now.totp || takesPasskeys) && (
        <>
          {!now.totp && (
            <Button
              glyph={Smartphone}
              aria-busy={sending.busy}
              onClick={() => void begin()}
            >
              {t("factors.setUp")}
            </Button>
          )}
          {takesPasskeys && (
            <Button glyph={KeyRound} onClick={() => setSetup("passkey")}>
              {t("passkeys.add")}
            </Button>
          )}
        </>
      )}
    >
      {setup === "passkey" && (
        <PasskeyForm
          proved={hasFactors ? proved : null}
          onDone={(fresh) => void finish(fresh)}
          onCancel={() => setSetup(null)}
        />
      )}
      {setup && setup !== "passkey" && (
        <TotpForm
          setup={setup}
          proved={hasFactors ? proved : null}
          onDone={(fresh) => void finish(fresh)}
          onCancel={() => setSetup(null)}
        />
      )}
      {codes && <RecoveryCodesView codes={codes} onDone={onEnrolled ?? (() => setCodes(null))} />}
      {hasFactors && !codes && (
        <ul>
          {now.totp && (
            <ListRow
              className="factors__row"
              glyph={Smartphone}
              name={
                <>
                  {t("factors.app")}
                  <span className="badge">{t("factors.on")}</span>
                </>
              }
            >
              <Button onClick={() => void removeTotp()}>{t("factors.removeApp")}</Button>
            </ListRow>
          )}
          {now.passkeys.map((passkey) => (
            <PasskeyRow
              key={passkey.id}
              passkey={passkey}
              clock={clock}
              onRename={() => void renamePasskey(passkey)}
              onRemove={() => void removePasskey(passkey)}
            />
          ))}
          <RecoveryRow left={now.recoveryCodes} onRenew={() => void renew()} />
        </ul>
      )}
    </Card>
  );
}

function RecoveryRow({ left, onRenew }: { left: number; onRenew: () => void }) {
  const { t } = useTranslation();
  return (
    <ListRow
      className="factors__row"
      glyph={KeyRound}
      name={t("factors.recovery")}
      facts={t("factors.left", { count: left })}
    >
      <Button onClick={onRenew}>{t("factors.renew")}</Button>
    </ListRow>
  );
}
