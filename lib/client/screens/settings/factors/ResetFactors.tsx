import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UserInfo } from "../../../../shared/schemas/user.ts";
import type { Factors } from "../../../../shared/schemas/factors.ts";
import { usePage } from "../../../base/core/page.ts";
import { usePrompts, useSession, useToasts } from "../../../base/core/use_site.ts";
import { Button } from "../../../../../components/Button.tsx";
import { useSending } from "../use_sending.ts";
import { useFactors } from "./factors_api.ts";

interface ResetFactorsProps {
  user: UserInfo;
  factors: Factors;
}

/** Tells an administrator that a user has second factors, and removes them. */
export function ResetFactors({ user, factors: initial }: ResetFactorsProps) {
  const { t } = useTranslation();
  const { AuthMethod } = usePage().data.config;
  const factors = useFactors();
  const session = useSession();
  const prompts = usePrompts();
  const toasts = useToasts();
  const sending = useSending();
  const [has, setHas] = useState(initial.totp || initial.passkeys.length > 0);
  if (!has || AuthMethod !== "json") return null;

  const reset = async () => {
    const title = t("factors.resetTitle", { name: user.username });
    if (!await prompts.open("confirm", { title, text: t("factors.resetText") })) return;
    const answer = await sending.send(
      (password) => factors.reset(user.id, password),
      { password: "first" },
    );
    if (!answer.ok) return;
    setHas(false);
    toasts.success(t("toasts.userUpdated"));
  };
  const isSelf = session.user.peek()?.id === user.id;
  return (
    <div className="factors__row">
      <div>
        <p className="sessions__name">
          {t("factors.title")}
          <span className="badge">{t("factors.on")}</span>
        </p>
        <p className="sessions__facts">{t("factors.left", { count: initial.recoveryCodes })}</p>
      </div>
      {!isSelf && (
        <Button aria-busy={sending.busy} onClick={() => void reset()}>{t("factors.reset")}</Button>
      )}
    </div>
  );
}
