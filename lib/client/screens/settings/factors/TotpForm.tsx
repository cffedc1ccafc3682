import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TotpSetup } from "../../../../shared/schemas/factors.ts";
import { CopyButton } from "../../../files_page/info/CopyButton.tsx";
import { QrCode } from "../../../files_page/sharing/QrCode.tsx";
import { qrPath } from "../../../files_page/sharing/qr_path.ts";
import { TextField } from "../../../../../components/Fields.tsx";
import { useSending } from "../use_sending.ts";
import { FactorForm, passwordField } from "./FactorForm.tsx";
import { useFactors } from "./factors_api.ts";
import type { Proved } from "./use_proved.ts";

interface TotpFormProps {
  setup: TotpSetup;
  /** Asks for another second factor of the user; null without any. */
  proved: Proved | null;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Shows the secret of an authenticator app, and takes its first code. */
export function TotpForm({ setup, proved, onDone, onCancel }: TotpFormProps) {
  const { t } = useTranslation();
  const factors = useFactors();
  const sending = useSending();
  const [code, setCode] = useState("");
  const [current, setCurrent] = useState("");

  const save = async () => {
    if (code.trim() === "") return sending.refuse("app-code", t("factors.codeMissing"));
    if (!proved && current === "") {
      return sending.refuse(passwordField, t("settings.currentMissing"));
    }
    const answer = proved
      ? await proved({
        title: t("passkeys.proveTitle"),
        text: t("passkeys.proveText"),
        act: t("buttons.goOn"),
      }, (credentials) => factors.addTotp(setup.setup, code, credentials))
      : await sending.send(
        () => factors.addTotp(setup.setup, code, { current_password: current }),
        {
          password: "never",
          fields: {
            invalid_option: "app-code",
            wrong_credentials: passwordField,
            throttled: passwordField,
          },
        },
      );
    if (answer.ok) return onDone(answer.value);
    if (answer.code === "invalid_option") sending.refuse("app-code", t("factors.wrongCode"));
    // Too late: begin again.
    if (answer.code === "not_found") onCancel();
  };
  const intro = (
    <>
      <p className="card__text">{t("factors.scan")}</p>
      <QrCode path={qrPath(setup.uri)} label={t("factors.qrLabel")} />
      <div className="factors__key">
        <span className="field__label">{t("factors.key")}</span>
        <code className="factors__secret" dir="ltr">
          {setup.secret.replace(/.{4}(?=.)/g, "$& ")}
        </code>
        <CopyButton label={t("factors.copyKey")} text={setup.secret} />
      </div>
    </>
  );
  return (
    <FactorForm
      sending={sending}
      intro={intro}
      password={proved ? null : { value: current, onChange: setCurrent }}
      act={t("factors.turnOn")}
      onSend={() => void save()}
      onCancel={onCancel}
    >
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
    </FactorForm>
  );
}
