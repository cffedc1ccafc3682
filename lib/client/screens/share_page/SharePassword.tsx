import { useTranslation } from "react-i18next";
import { throttledText } from "../../base/core/format_details.ts";
import { LinkGate } from "../../base/session/LinkGate.tsx";

interface SharePasswordProps {
  refusal: { code: string; typed?: boolean; retryAfter?: number };
}

/** Asks a visitor for the password of a share. The browser posts it: no script is needed. */
export function SharePassword({ refusal }: SharePasswordProps) {
  const { t, i18n: { language } } = useTranslation();
  const complaint = refusal.code === "throttled"
    ? throttledText(t, language, refusal.retryAfter)
    : refusal.typed
    ? t("share.wrongPassword")
    : "";
  return <LinkGate title={t("share.passwordTitle")} complaint={complaint} asksPassword />;
}
