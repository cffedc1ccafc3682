import type { UserFields, UserInfo } from "../../../../shared/api_types.ts";
import type { FailureCode } from "../../../../shared/result.ts";
import { useRecord } from "../use_record.ts";
import type { Sending } from "../use_sending.ts";
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
  const record = useRecord(user);
  const { t, BaseURL, LoginPage, account, session, toasts, sending, leave } = record;
  const { former, setFormer } = record;
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
      const isRemoved = await record.remove(
        t("settings.users.sure"),
        (current) => account.removeUser(former.id, current),
      );
      if (!isRemoved) return;
      if (former.id === session.user.peek()?.id) session.end("signed_out");
      else leave("userDeleted", users);
    },
  };
}
