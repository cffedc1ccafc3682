import { useTranslation } from "react-i18next";
import type { Clock } from "../../../../shared/clock.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { Prompts } from "../../../files_page/layout/Prompts.tsx";
import { ToastStack } from "../../../base/ui/Toasts.tsx";
import { Button } from "../../../../../components/Button.tsx";
import { Logo } from "../../../../../components/Icon.tsx";
import { FactorsCard } from "./FactorsCard.tsx";

/** Has a user set up a second factor, where the server wants one before anything else. */
export function EnrolScreen({ next, clock }: { next: string; clock: Clock }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <>
      <main className="stage" id="content">
        <div className="enrol">
          <div className="welcome">
            <Logo />
            <h1 className="welcome__title">{t("factors.requiredTitle")}</h1>
            <p className="card__text">{t("factors.requiredText")}</p>
          </div>
          <FactorsCard
            factors={{ totp: false, passkeys: [], recoveryCodes: 0 }}
            clock={clock}
            onEnrolled={() => location.assign(next)}
          />
          <Button variant="quiet" onClick={() => void api.signOut()}>
            {t("factors.signOutInstead")}
          </Button>
        </div>
      </main>
      <div className="corner">
        <ToastStack />
      </div>
      <Prompts />
    </>
  );
}
