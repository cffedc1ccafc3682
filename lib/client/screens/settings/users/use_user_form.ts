import { useState } from "react";
import type { UserFields, UserInfo } from "../../../../shared/schemas/user.ts";
import { isMailAddress } from "../../../../shared/mailbox.ts";
import { areFaultless } from "../roots/RootsEditor.tsx";
import { useSettingsForm } from "../use_settings_form.ts";
import { type RecordForm, useRecord } from "../use_record.ts";
import { changesRights, userChanges } from "./user_changes.ts";

/** The fields of the form of a user: "" leaves the password as it is. */
export type UserDraft = UserFields & {
  password: string;
  /** The administrator's own password, for a new user. */
  current: string;
};

/** The form of a user. */
interface UserFormState extends RecordForm<UserInfo, UserDraft> {
  /** The form asks for the administrator's own password, so that no prompt follows. */
  provesInForm: boolean;
}

const noSecrets = { password: "", current: "" };

/** Creates, changes and removes the user of a form, then navigates. @param blank a new one */
export function useUserForm(
  user: UserInfo | null,
  blank: UserFields,
): UserFormState {
  const record = useRecord();
  const { t, BaseURL, LoginPage, account, session, toasts, leave } = record;
  const [former, setFormer] = useState(user);
  const users = `${BaseURL}/settings/users`;
  const provesInForm = former === null && record.hasOwnPassword;
  const title = former
    ? t("settings.users.titled", { name: former.username })
    : t("settings.users.newTitle");

  const form = useSettingsForm<UserDraft, string | void>({ ...former ?? blank, ...noSecrets }, {
    title,
    fields: {
      exists: "username",
      invalid_name: "username",
      invalid_password: "password",
      invalid_path: "scope",
      invalid_rule: "rules",
      ...provesInForm && { wrong_credentials: "current", throttled: "current" },
    },
    check({ username, mail, roots, current }) {
      if (username.trim() === "") return ["username", t("settings.users.nameMissing")];
      if (mail !== "" && !isMailAddress(mail)) return ["mail", t("errors.invalid_address")];
      if (provesInForm && current === "") return ["current", t("settings.currentMissing")];
      return areFaultless(roots) ? null : ["roots", t("settings.roots.faulty")];
    },
    password(draft) {
      if (former === null) return provesInForm ? "never" : "when asked";
      return changesRights(userChanges(former, draft)) ? "first" : "when asked";
    },
    save({ current: typed, ...draft }, current) {
      if (former === null) return account.addUser(draft, provesInForm ? typed : current);
      return account.changeUser(former.id, userChanges(former, draft), current);
    },
    async done(address, draft) {
      if (former === null) return leave("userCreated", address || users);
      const { password: _, current: __, ...fields } = draft;
      setFormer({ ...former, ...fields });
      form.reset({ ...draft, ...noSecrets });
      if (former.id !== session.user.peek()?.id) toasts.success(t("toasts.userUpdated"));
      else await followSelf(draft);
    },
  });
  /** The user's own name, rights and language appear all over the page, so reload. */
  const followSelf = async (wanted: UserFields) => {
    if (LoginPage) await account.refresh();
    const to = wanted.perm.admin ? location.pathname : `${BaseURL}/settings/profile`;
    leave("userUpdated", to);
  };

  return {
    form,
    title,
    former,
    provesInForm,
    remove: former
      ? () =>
        record.remove(
          form,
          t("settings.users.sure"),
          (current) => account.removeUser(former.id, current),
          () => {
            if (former.id === session.user.peek()?.id) session.end("signed_out");
            else leave("userDeleted", users);
          },
        )
      : undefined,
  };
}
