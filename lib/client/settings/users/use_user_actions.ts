import { useState } from "react";
import type { UserFields, UserInfo } from "../../../shared/api_types.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { usePage } from "../../core/page.ts";
import type { FailureCode } from "../../../shared/result.ts";
import { usePrompts, useSession, useToasts } from "../../core/use_site.ts";
import { useAccount } from "../account_api.ts";
import { type Sending, useSending } from "../use_sending.ts";
import { useLeaving, useSettingsGuard } from "../use_unsaved.ts";
import { changesRights, userChanges } from "./user_changes.ts";

/** The form field of each error. */
const FIELDS: Partial<Record<FailureCode, string>> = {
  exists: "username",
  invalid_name: "username",
  invalid_password: "password",
  invalid_path: "scope",
  invalid_rule: "rules",
};

/** The actions on the user that a form shows. */
export interface UserActions {
  sending: Sending;
  /** The user as stored; null for a new one. */
  former: UserInfo | null;
  /** Creates or changes the user; returns whether that succeeded. */
  save(wanted: UserFields, password: string): Promise<boolean>;
  /** Removes the user, after a confirmation. */
  remove(): Promise<void>;
}

/** Creates, changes and removes the user of a form, then navigates. */
export function useUserActions(user: UserInfo | null): UserActions {
  const { t } = useTranslation();
  const { BaseURL, LoginPage } = usePage().data.config;
  const account = useAccount();
  const session = useSession();
  const prompts = usePrompts();
  const toasts = useToasts();
  const sending = useSending();
  const guard = useSettingsGuard();
  const leave = useLeaving();
  const [former, setFormer] = useState(user);
  const users = `${BaseURL}/settings/users`;

  const create = async (wanted: UserFields, password: string) => {
    const answer = await sending.send(
      (current) => account.addUser({ ...wanted, password }, current),
      { fields: FIELDS, password: "first" },
    );
    if (answer.ok) leave("userCreated", answer.value || users);
    return answer.ok;
  };
  const update = async (before: UserInfo, wanted: UserFields, password: string) => {
    const change = userChanges(before, wanted, password);
    const answer = await sending.send(
      (current) => account.changeUser(before.id, change, current),
      { fields: FIELDS, password: changesRights(change) ? "first" : "when asked" },
    );
    if (!answer.ok) return false;
    setFormer({ ...before, ...wanted });
    if (before.id !== session.user.peek()?.id) toasts.success(t("toasts.userUpdated"));
    else await followSelf(wanted);
    return true;
  };
  /** The user's own name, rights and language appear all over the page, so reload. */
  const followSelf = async (wanted: UserFields) => {
    if (LoginPage) await account.refresh();
    const to = wanted.perm.admin ? location.pathname : `${BaseURL}/settings/profile`;
    leave("userUpdated", to);
  };

  return {
    sending,
    former,
    save: (wanted, password) =>
      former === null ? create(wanted, password) : update(former, wanted, password),
    async remove() {
      if (former === null) return;
      if (!await prompts.open("confirm", { title: t("settings.users.sure") })) return;
      const answer = await sending.send(
        (current) => account.removeUser(former.id, current),
        { password: "first" },
      );
      if (!answer.ok) return;
      guard.letGo();
      if (former.id === session.user.peek()?.id) session.end("signed_out");
      else leave("userDeleted", users);
    },
  };
}
