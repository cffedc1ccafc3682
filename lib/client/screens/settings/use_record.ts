import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Result } from "../../../shared/result.ts";
import { usePage } from "../../base/core/page.ts";
import { usePrompts, useSession, useToasts } from "../../base/core/use_site.ts";
import { useAccount } from "./account_api.ts";
import { useSending } from "./use_sending.ts";
import { useLeaving, useSettingsGuard } from "./use_unsaved.ts";

/**
 * The state of the form of a user or a group.
 *
 * @param record as stored; null for a new one
 */
export function useRecord<Kept>(record: Kept | null) {
  const { t } = useTranslation();
  const { BaseURL, LoginPage } = usePage().data.config;
  const prompts = usePrompts();
  const sending = useSending();
  const guard = useSettingsGuard();
  const [former, setFormer] = useState(record);

  /** Removes the record after a confirmation; whether that was done. */
  async function remove(
    title: string,
    call: (currentPassword?: string) => Promise<Result<unknown>>,
  ): Promise<boolean> {
    if (!await prompts.open("confirm", { title })) return false;
    const { ok } = await sending.send(call, { password: "first" });
    if (ok) guard.letGo();
    return ok;
  }

  return {
    ...{ t, BaseURL, LoginPage, sending, former, setFormer, remove },
    account: useAccount(),
    session: useSession(),
    toasts: useToasts(),
    leave: useLeaving(),
  };
}
