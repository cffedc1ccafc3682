import { KeyRound } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Failure, Result } from "../../../shared/result.ts";
import { Button } from "../../../../components/Button.tsx";
import { FormError } from "../../../../components/Fields.tsx";
import { throttledText } from "../core/format_details.ts";
import { useApi } from "../core/use_site.ts";
import { signInByPasskey, signInFromField } from "./passkeys.ts";

interface PasskeyEntryProps {
  next: string;
  /** Another way to sign in is being tried: the browser offers no passkey meanwhile. */
  paused: boolean;
}

/**
 * The way to sign in by a passkey alone: a button below the form for a password, and the browser's
 * own offer in the field for the name.
 */
export function PasskeyEntry({ next, paused }: PasskeyEntryProps) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const [busy, setBusy] = useState(false);
  const [refusal, setRefusal] = useState<string | undefined>();

  const reason = (why: Failure): string => {
    if (why.code === "offline") return t("status.offlineTitle");
    if (why.code === "throttled") return throttledText(t, language, why.retryAfter);
    return t("passkeys.failed");
  };
  const conclude = (answer: Result<void>) => {
    if (answer.ok) location.assign(next);
    else setRefusal(reason(answer));
  };
  useEffect(() => {
    if (busy || paused) return;
    const offer = new AbortController();
    void signInFromField(api.calls, offer.signal).then((answer) => answer && conclude(answer));
    return () => offer.abort();
  }, [busy, paused]);
  const enter = async () => {
    if (busy) return;
    setBusy(true);
    setRefusal(undefined);
    const answer = await signInByPasskey(api.calls);
    conclude(answer);
    // Once signed in, the page is being left.
    if (!answer.ok) setBusy(false);
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
