import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { Spinner } from "../../../../components/Icon.tsx";
import { usePage } from "../core/page.ts";
import { useApi } from "../core/use_site.ts";
import { loginHref } from "./session.ts";

/** Properties of {@linkcode EnteringPage}. */
export interface EnteringPageProps {
  /** The address to go to, on this site and checked by the server. */
  next: string;
}

/**
 * The moment after signing in elsewhere: the browser has the session's cookie, and trades it for
 * the token that its calls need.
 */
export function EnteringPage({ next }: EnteringPageProps) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const api = useApi();
  useEffect(() => {
    void api.calls.renew().then((done) => location.replace(done ? next : loginHref(BaseURL, next)));
  }, []);
  return (
    <p className="login__entering" role="status">
      <Spinner /> {t("login.busy")}
    </p>
  );
}
