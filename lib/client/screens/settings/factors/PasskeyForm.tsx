import { useToasts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { passkeyCode } from "../../../base/session/use_passkey.ts";
import { maxPasskeyNameLength } from "../../../../shared/schemas/choices/choices.ts";
import { TextField } from "../../../../../components/Fields.tsx";
import { useSettingsForm } from "../use_settings_form.ts";
import { FactorForm } from "./FactorForm.tsx";
import { useFactors } from "./factors_api.ts";
import type { Proved } from "./use_proved.ts";

const blank = { name: "", current: "" };

interface PasskeyFormProps {
  /** Asks for a second factor of the user; null without any. */
  proved: Proved | null;
  onDone: (recoveryCodes: string[]) => void;
  onCancel: () => void;
}

/** Names a passkey, asks for the password, and has the browser make it. */
export function PasskeyForm({ proved, onDone, onCancel }: PasskeyFormProps) {
  const { t } = useTranslation();
  const factors = useFactors();
  const toasts = useToasts();
  const begin = async ({ current }: typeof blank) => {
    if (proved) {
      const question = {
        title: t("passkeys.proveTitle"),
        text: t("passkeys.proveText"),
        act: t("buttons.goOn"),
      };
      return await proved(question, (credentials) => factors.beginPasskey(credentials));
    }
    return await form.send(() => factors.beginPasskey({ current_password: current }), {
      password: "never",
      fields: { wrong_credentials: "current", throttled: "current" },
    });
  };
  const form = useSettingsForm(blank, {
    check({ name, current }) {
      if (name.trim() === "") return ["name", t("passkeys.nameMissing")];
      return !proved && current === "" ? ["current", t("settings.currentMissing")] : null;
    },
    async submit(values) {
      const options = await begin(values);
      if (!options.ok) return;
      const code = await passkeyCode.load();
      if (code === null) return toasts.error(t("errors.offline"));
      const made = await code.createPasskey(options.value);
      if (!made.ok) {
        const isThere = made.code === "exists";
        return toasts.error(isThere ? t("passkeys.exists") : t("passkeys.notMade"));
      }
      const answer = await form.send(() => factors.addPasskey(values.name, made.value), {
        password: "never",
      });
      if (answer.ok) onDone(answer.value);
    },
  });
  return (
    <FactorForm
      form={form}
      intro={<p className="card__text">{t("passkeys.addText")}</p>}
      isProved={proved !== null}
      act={t("passkeys.add")}
      onCancel={onCancel}
    >
      <TextField
        {...form.field("name", "passkey-name")}
        label={t("passkeys.name")}
        hint={t("passkeys.nameHint")}
        autoComplete="off"
        maxLength={maxPasskeyNameLength}
      />
    </FactorForm>
  );
}
