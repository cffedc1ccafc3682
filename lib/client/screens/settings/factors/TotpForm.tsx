import type { Result } from "../../../../shared/result.ts";
import type { TotpSetup } from "../../../../shared/schemas/factors.ts";
import { useTranslation } from "react-i18next";
import { CopyButton } from "../../../files_page/info/CopyButton.tsx";
import { QrCode } from "../../../files_page/sharing/QrCode.tsx";
import { qrPath } from "../../../files_page/sharing/qr_outline.ts";
import { TextField } from "../../../../../components/Fields.tsx";
import { useSettingsForm } from "../use_settings_form.ts";
import { FactorForm } from "./FactorForm.tsx";
import { useFactors } from "./factors_api.ts";
import type { Proved } from "./use_proved.ts";

const blank = { code: "", current: "" };

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
  const add = ({ code, current }: typeof blank): Promise<Result<string[]>> =>
    proved
      ? proved({
        title: t("passkeys.proveTitle"),
        text: t("passkeys.proveText"),
        act: t("buttons.goOn"),
      }, (credentials) => factors.addTotp(setup.setup, code, credentials))
      : form.send(() => factors.addTotp(setup.setup, code, { current_password: current }), {
        password: "never",
        fields: { invalid_option: "code", wrong_credentials: "current", throttled: "current" },
      });
  const form = useSettingsForm(blank, {
    check({ code, current }) {
      if (code.trim() === "") return ["code", t("factors.codeMissing")];
      return !proved && current === "" ? ["current", t("settings.currentMissing")] : null;
    },
    async submit(values) {
      const answer = await add(values);
      if (answer.ok) return onDone(answer.value);
      if (answer.code === "invalid_option") form.refuse("code", t("factors.wrongCode"));
      // Too late: begin again.
      if (answer.code === "not_found") onCancel();
    },
  });
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
      form={form}
      intro={intro}
      isProved={proved !== null}
      act={t("factors.turnOn")}
      onCancel={onCancel}
    >
      <TextField
        {...form.field("code", "app-code")}
        label={t("factors.code")}
        hint={t("factors.codeHint")}
        verbatim
        dir="ltr"
        inputMode="numeric"
        autoComplete="one-time-code"
        maxLength={10}
      />
    </FactorForm>
  );
}
