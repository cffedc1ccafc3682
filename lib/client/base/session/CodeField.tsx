import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FormError, TextField } from "../../../../components/Fields.tsx";
import type { FactorMethod } from "../../../shared/schemas/choices/choices.ts";
import type { PasskeyAnswer } from "../../../shared/schemas/passkeys.ts";
import { useAskPasskey, usePasskeySupport } from "./use_passkey.ts";

interface CodeFieldProps {
  /** The factors that the user has. */
  methods: readonly FactorMethod[];
  complaint?: string | undefined;
  focused?: boolean;
  /** Takes the answer of a passkey in place of a code. */
  onPasskey: (answer: PasskeyAnswer) => void;
}

/**
 * The field for a code of the second factor: of the app, or a recovery code, which has letters. It
 * takes the focus, as it is shown after the password was accepted.
 */
export function CodeField(
  { methods, complaint, focused = true, onPasskey }: CodeFieldProps,
) {
  const { t } = useTranslation();
  const hasApp = methods.includes("totp");
  const [isRecovery, setRecovery] = useState(!hasApp);
  const [isSwitched, setSwitched] = useState(false);
  const [isRefused, setRefused] = useState(false);
  const takesPasskeys = usePasskeySupport() && methods.includes("passkey");
  const askPasskey = useAskPasskey();
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused || isSwitched) input.current?.select();
  }, [isRecovery, complaint]);
  const ask = async () => {
    setRefused(false);
    const answer = await askPasskey();
    if (answer.ok) onPasskey(answer.value);
    else setRefused(true);
  };
  return (
    <>
      <FormError text={isRefused ? t("passkeys.failed") : undefined} />
      <TextField
        key={String(isRecovery)}
        name="code"
        label={t(isRecovery ? "factors.recoveryCode" : "factors.code")}
        hint={t(isRecovery ? "factors.recoveryHint" : "factors.codeHint")}
        complaint={complaint}
        verbatim
        dir="ltr"
        inputMode={isRecovery ? "text" : "numeric"}
        autoComplete={isRecovery ? "off" : "one-time-code"}
        maxLength={40}
        required
        inputRef={input}
      />
      <div className="field__ways">
        {hasApp && (
          <Button
            variant="quiet"
            onClick={() => {
              setSwitched(true);
              setRecovery(!isRecovery);
            }}
          >
            {t(isRecovery ? "factors.useApp" : "factors.useRecovery")}
          </Button>
        )}
        {takesPasskeys && (
          <Button variant="quiet" onClick={() => void ask()}>{t("passkeys.use")}</Button>
        )}
      </div>
    </>
  );
}
