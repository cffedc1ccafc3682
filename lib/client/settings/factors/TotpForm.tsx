import { useState } from "react";
import type { TotpSetup } from "../../../shared/schemas/factors.ts";
import { usePage } from "../../core/page.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { CopyButton } from "../../info/CopyButton.tsx";
import { QrCode } from "../../sharing/QrCode.tsx";
import { qrPath } from "../../sharing/qr_path.ts";
import { Button } from "../../../../components/Button.tsx";
import { TextField } from "../../../../components/Fields.tsx";
import { Form, SaveButton } from "../Form.tsx";
import { useSending } from "../use_sending.ts";
import { useFactors } from "./factors_api.ts";
import { useProved } from "./use_proved.ts";

interface TotpFormProps {
  setup: TotpSetup;
  /** The user has another second factor, which is asked for. */
  hasFactors: boolean;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Shows the secret of an authenticator app, and takes its first code. */
export function TotpForm({ setup, hasFactors, onDone, onCancel }: TotpFormProps) {
  const { t } = useTranslation();
  const { user } = usePage().data;
  const factors = useFactors();
  const sending = useSending();
  const proved = useProved();
  const [code, setCode] = useState("");
  const [current, setCurrent] = useState("");

  const save = async () => {
    if (code.trim() === "") return sending.refuse("app-code", t("factors.codeMissing"));
    if (!hasFactors && current === "") {
      return sending.refuse("factor-password", t("settings.currentMissing"));
    }
    const answer = hasFactors
      ? await proved({
        title: t("passkeys.proveTitle"),
        text: t("passkeys.proveText"),
        act: t("buttons.goOn"),
      }, (proof) => factors.addTotp(setup.setup, code, proof))
      : await sending.send(
        () => factors.addTotp(setup.setup, code, { current_password: current }),
        {
          password: "never",
          fields: {
            invalid_option: "app-code",
            wrong_credentials: "factor-password",
            throttled: "factor-password",
          },
        },
      );
    if (answer.ok) return onDone(answer.value);
    if (answer.code === "invalid_option") sending.refuse("app-code", t("factors.wrongCode"));
    // Too late: begin again.
    if (answer.code === "not_found") onCancel();
  };
  return (
    <Form className="factors__form" busy={sending.busy} onSend={() => void save()}>
      <p className="card__text">{t("factors.scan")}</p>
      <QrCode path={qrPath(setup.uri)} label={t("factors.qrLabel")} />
      <div className="factors__key">
        <span className="field__label">{t("factors.key")}</span>
        <code className="factors__secret" dir="ltr">
          {setup.secret.replace(/.{4}(?=.)/g, "$& ")}
        </code>
        <CopyButton label={t("factors.copyKey")} text={setup.secret} />
      </div>
      <input
        className="unseen"
        name="username"
        autoComplete="username"
        value={user?.username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div className="fields">
        <TextField
          name="app-code"
          label={t("factors.code")}
          hint={t("factors.codeHint")}
          complaint={sending.about("app-code")}
          verbatim
          dir="ltr"
          inputMode="numeric"
          autoComplete="one-time-code"
          maxLength={10}
          value={code}
          onInput={(event) => setCode(event.currentTarget.value)}
        />
        {!hasFactors && (
          <TextField
            name="factor-password"
            type="password"
            label={t("prompts.currentPassword")}
            complaint={sending.about("factor-password")}
            autoComplete="current-password"
            value={current}
            onInput={(event) => setCurrent(event.currentTarget.value)}
          />
        )}
      </div>
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={sending.busy} words={t("factors.turnOn")} />
      </div>
    </Form>
  );
}
