import type { Result } from "../../../shared/result.ts";
import { usePage } from "../../base/core/page.ts";
import { usePrompts, useSession, useToasts } from "../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
import { useAccount } from "./account_api.ts";
import { hasOwnPassword } from "./use_sending.ts";
import type { SettingsForm } from "./use_settings_form.ts";
import { useLeaving, useSettingsGuard } from "./use_unsaved.ts";

/** What the forms of users and of groups need. */
export function useRecord() {
  const { t } = useTranslation();
  const { BaseURL, LoginPage, Provider } = usePage().data.config;
  const prompts = usePrompts();
  const guard = useSettingsGuard();
  return {
    ...{ t, BaseURL, LoginPage },
    hasOwnPassword: hasOwnPassword({ LoginPage, Provider }),
    account: useAccount(),
    session: useSession(),
    toasts: useToasts(),
    leave: useLeaving(),
    /** Removes the record of a form, after a confirmation. @param removed called afterwards */
    async remove<Values extends object>(
      form: SettingsForm<Values>,
      title: string,
      call: (currentPassword?: string) => Promise<Result<unknown>>,
      removed: () => unknown,
    ): Promise<void> {
      if (!await prompts.open("confirm", { title })) return;
      const { ok } = await form.send(call, { password: "first" });
      if (!ok) return;
      guard.letGo();
      await removed();
    },
  };
}

/** The form of a record. */
export interface RecordForm<Stored, Draft extends object> {
  form: SettingsForm<Draft>;
  title: string;
  /** The record as stored; null for a new one. */
  former: Stored | null;
  /** Removes the record, after a confirmation; absent for a new one. */
  remove?: () => Promise<void>;
}
