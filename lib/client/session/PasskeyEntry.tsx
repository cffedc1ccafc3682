import { KeyRound } from "lucide";
import { useState } from "react";
import type { Failure } from "../../shared/result.ts";
import { Button } from "../../../components/Button.tsx";
import { FormError } from "../../../components/Fields.tsx";
import { throttledText } from "../core/format_details.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { signInByPasskey } from "./passkeys.ts";

/** The way to sign in by a passkey alone, below the form for a password. */
export function PasskeyEntry({ next }: { next: string }) {
  const { t, language } = useTranslation();
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();

  const reason = (why: Failure): string => {
    if (why.code === "offline") return t("status.offlineTitle");
    if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
    return t("passkeys.failed");
  };
  const enter = async () => {
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    const answer = await signInByPasskey(api.calls);
    if (answer.ok) return location.assign(next);
    setBusy(false);
    setRefusal(reason(answer));
  };
  return (
    <div className="login">
      <p className="login__or">{t("external.or")}</p>
      <Button glyph={KeyRound} wide aria-busy={busy} onClick={() => void enter()}>
        {t("passkeys.signIn")}
      </Button>
      <FormError text={refusal} />
    </div>
  );
}
