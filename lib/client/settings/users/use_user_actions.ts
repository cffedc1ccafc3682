import { useState } from "react";
import type { UserFields, UserInfo } from "../../../shared/api_types.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { usePage } from "../../core/page.ts";
import type { FailureCode } from "../../api/result.ts";
import { usePrompts, useSession, useToasts } from "../../core/use_site.ts";
import { useAccount } from "../use_account.ts";
import { type Sending, useSending } from "../use_sending.ts";
import { useLeaving, useSettingsGuard } from "../use_unsaved.ts";
import { changesRights, userChanges } from "./user_changes.ts";

/** Which field of the form a refusal is about. */
const FIELDS: Partial<Record<FailureCode, string>> = {
  exists: "username",
  invalid_name: "username",
  invalid_password: "password",
  invalid_path: "scope",
  invalid_rule: "rules",
};

/** What can be done with the user that a form shows. */
export interface UserActions {
  sending: Sending;
  /** The user as the server knows it; null for one that is to be made. */
  former: UserInfo | null;
  /** Makes or changes the user; whether that was done. */
  save(wanted: UserFields, password: string): Promise<boolean>;
  /** Removes the user, once that is confirmed. */
  remove(): Promise<void>;
}

/** Makes, changes and removes the user of a form, and goes where that leads. */
export function useUserActions(user: UserInfo | null): UserActions {
  const { t } = useTranslation();
  const { BaseURL, AuthMethod } = usePage().data.config;
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
  /** One's own name, rights and language are all over the page. */
  const followSelf = async (wanted: UserFields) => {
    if (AuthMethod === "json") await account.refresh();
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
      if (!await prompts.open("sure", { title: t("settings.users.sure") })) return;
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
