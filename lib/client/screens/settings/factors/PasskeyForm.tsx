import { useState } from "react";
import { useTranslation } from "react-i18next";
import { useToasts } from "../../../base/core/use_site.ts";
import { passkeyCode } from "../../../base/session/use_passkey.ts";
import { maxPasskeyNameLength } from "../../../../shared/schemas/choices/choices.ts";
import { TextField } from "../../../../../components/Fields.tsx";
import { useSending } from "../use_sending.ts";
import { FactorForm, passwordField } from "./FactorForm.tsx";
import { useFactors } from "./factors_api.ts";
import type { Proved } from "./use_proved.ts";

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
  const sending = useSending();
  const [name, setName] = useState("");
  const [current, setCurrent] = useState("");

  const begin = async () => {
    if (proved) {
      const question = {
        title: t("passkeys.proveTitle"),
        text: t("passkeys.proveText"),
        act: t("buttons.goOn"),
      };
      return await proved(question, (credentials) => factors.beginPasskey(credentials));
    }
    return await sending.send(() => factors.beginPasskey({ current_password: current }), {
      password: "never",
      fields: { wrong_credentials: passwordField, throttled: passwordField },
    });
  };
  const save = async () => {
    if (name.trim() === "") return sending.refuse("passkey-name", t("passkeys.nameMissing"));
    if (!proved && current === "") {
      return sending.refuse(passwordField, t("settings.currentMissing"));
    }
    const options = await begin();
    if (!options.ok) return;
    const code = await passkeyCode.load();
    if (code === null) return toasts.error(t("errors.offline"));
    const made = await code.createPasskey(options.value);
    if (!made.ok) {
      const isThere = made.code === "exists";
      return toasts.error(isThere ? t("passkeys.exists") : t("passkeys.notMade"));
    }
    const answer = await sending.send(() => factors.addPasskey(name, made.value), {
      password: "never",
    });
    if (answer.ok) onDone(answer.value);
  };
  return (
    <FactorForm
      sending={sending}
      intro={<p className="card__text">{t("passkeys.addText")}</p>}
      password={proved ? null : { value: current, onChange: setCurrent }}
      act={t("passkeys.add")}
      onSend={() => void save()}
      onCancel={onCancel}
    >
      <TextField
        name="passkey-name"
        label={t("passkeys.name")}
        hint={t("passkeys.nameHint")}
        complaint={sending.about("passkey-name")}
        autoComplete="off"
        maxLength={maxPasskeyNameLength}
        value={name}
        onInput={(event) => setName(event.currentTarget.value)}
      />
    </FactorForm>
  );
}
