import { KeyRound, Smartphone } from "lucide";
import { useState } from "react";
import type { Factors, TotpSetup } from "../../../shared/schemas/factors.ts";
import { useToasts } from "../../core/use_site.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { Button } from "../../../../components/Button.tsx";
import { Card } from "../../../../components/Card.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { useSending } from "../use_sending.ts";
import { useFactors } from "./factors_api.ts";
import { RecoveryCodesView } from "./RecoveryCodesView.tsx";
import { TotpForm } from "./TotpForm.tsx";
import { useProved } from "./use_proved.ts";

interface FactorsCardProps {
  factors: Factors;
  /** The first factor is set up, and the recovery codes are saved. */
  onEnrolled?: () => void;
}

/** The user's second factors: set up, removed, and the recovery codes made anew. */
export function FactorsCard({ factors: initial, onEnrolled }: FactorsCardProps) {
  const { t } = useTranslation();
  const factors = useFactors();
  const toasts = useToasts();
  const sending = useSending();
  const [now, setNow] = useState(initial);
  const [setup, setSetup] = useState<TotpSetup | null>(null);
  const [codes, setCodes] = useState<string[] | null>(null);
  const proved = useProved();

  const begin = async () => {
    const answer = await sending.send(() => factors.beginTotp(), { password: "never" });
    if (answer.ok) setSetup(answer.value);
  };
  const showCodes = (fresh: string[]) => {
    setCodes(fresh);
    setNow({ ...now, totp: true, recoveryCodes: fresh.length });
  };
  const remove = async () => {
    const question = {
      title: t("factors.removeTitle"),
      text: t("factors.removeText"),
      act: t("factors.removeApp"),
    };
    const answer = await proved(question, (proof) => factors.removeTotp(proof));
    if (!answer.ok) return;
    setNow({ totp: false, recoveryCodes: 0 });
    toasts.success(t("factors.isOff"));
  };
  const renew = async () => {
    const question = {
      title: t("factors.renewTitle"),
      text: t("factors.renewText"),
      act: t("factors.renew"),
    };
    const answer = await proved(question, (proof) => factors.renewRecovery(proof));
    if (answer.ok) showCodes(answer.value);
  };

  return (
    <Card
      id="factors"
      title={t("factors.title")}
      text={t("factors.text")}
      acts={!now.totp && !setup && (
        <Button
          glyph={Smartphone}
          aria-busy={sending.busy}
          onClick={() => void begin()}
        >
          {t("factors.setUp")}
        </Button>
      )}
    >
      {setup && (
        <TotpForm
          setup={setup}
          onDone={(fresh) => {
            setSetup(null);
            showCodes(fresh);
            toasts.success(t("factors.isOn"));
          }}
          onCancel={() => setSetup(null)}
        />
      )}
      {codes && <RecoveryCodesView codes={codes} onDone={onEnrolled ?? (() => setCodes(null))} />}
      {now.totp && !codes && (
        <ul>
          <li className="factors__row">
            <span className="sessions__sign">
              <Icon glyph={Smartphone} />
            </span>
            <p className="sessions__name">
              {t("factors.app")}
              <span className="badge">{t("factors.on")}</span>
            </p>
            <Button onClick={() => void remove()}>{t("factors.removeApp")}</Button>
          </li>
          <li className="factors__row">
            <span className="sessions__sign">
              <Icon glyph={KeyRound} />
            </span>
            <div>
              <p className="sessions__name">{t("factors.recovery")}</p>
              <p className="sessions__facts">{t("factors.left", { count: now.recoveryCodes })}</p>
            </div>
            <Button onClick={() => void renew()}>{t("factors.renew")}</Button>
          </li>
        </ul>
      )}
    </Card>
  );
}
