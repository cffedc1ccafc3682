import type { Result } from "../../../shared/result.ts";
import { usePage } from "../../base/core/page.ts";
import { usePrompts, useSession, useToasts } from "../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { useAccount } from "./account_api.ts";
import type { Form } from "./use_form.ts";
import { useLeaving, useSettingsGuard } from "./use_unsaved.ts";

/** What the forms of users and of groups need. */
export function useRecord() {
  const { t } = useTranslation();
  const { BaseURL, LoginPage } = usePage().data.config;
  const prompts = usePrompts();
  const guard = useSettingsGuard();
  return {
    ...{ t, BaseURL, LoginPage },
    account: useAccount(),
    session: useSession(),
    toasts: useToasts(),
    leave: useLeaving(),
    /** Removes the record of a form after a confirmation; returns whether that was done. */
    async remove<Values extends object>(
      form: Form<Values>,
      title: string,
      call: (currentPassword?: string) => Promise<Result<unknown>>,
    ): Promise<boolean> {
      if (!await prompts.open("confirm", { title })) return false;
      const { ok } = await form.send(call, { password: "first" });
      if (ok) guard.letGo();
      return ok;
    },
  };
}
