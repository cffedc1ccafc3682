import { useEffect, useRef, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { TextField } from "../../../components/Fields.tsx";
import { useTranslation } from "../core/use_translation.ts";

/**
 * The field for a code of the second factor: of the app, or a recovery code, which has letters. It
 * takes the focus, as it is shown after the password was accepted.
 */
export function CodeField(
  { complaint, focused = true }: { complaint?: string; focused?: boolean },
) {
  const { t } = useTranslation();
  const [isRecovery, setRecovery] = useState(false);
  const [isSwitched, setSwitched] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (focused || isSwitched) input.current?.select();
  }, [isRecovery, complaint]);
  return (
    <>
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
      <Button
        look="quiet"
        onClick={() => {
          setSwitched(true);
          setRecovery(!isRecovery);
        }}
      >
        {t(isRecovery ? "factors.useApp" : "factors.useRecovery")}
      </Button>
    </>
  );
}
