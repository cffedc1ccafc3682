import { useTranslation } from "react-i18next";
import { throttledText } from "../../base/core/format_details.ts";
import { LinkGate } from "../../base/session/LinkGate.tsx";
import { Unlink } from "lucide";
import { ErrorScreen, StatusScreen } from "../../../../components/StatusScreen.tsx";

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

interface DeadLinkProps {
  /** The HTTP status. */
  status: number;
  /** The page of the whole share, when the address leads below it; else null. */
  top: string | null;
  /** The sign-in form that leads back here: the link may be for some users alone; else null. */
  signIn: string | null;
}

/** Says that a link leads nowhere any more, or that an entry of a share is not there. */
export function DeadLink({ status, top, signIn }: DeadLinkProps) {
  const { t } = useTranslation();
  const entry = signIn !== null && (
    <a className={top === null ? "button button--primary" : "button"} href={signIn}>
      {t("login.submit")}
    </a>
  );
  if (top !== null) {
    return (
      <ErrorScreen status={status} heading="h1">
        <a className="button button--primary" href={top}>{t("share.toTop")}</a>
        {entry}
      </ErrorScreen>
    );
  }
  if (status !== 403 && status !== 404) return <ErrorScreen status={status} heading="h1" />;
  return (
    <StatusScreen
      variant="error"
      heading="h1"
      glyph={Unlink}
      title={t("share.goneTitle")}
      text={t(entry ? "share.signInText" : "share.goneText")}
    >
      {entry}
    </StatusScreen>
  );
}
