import { useState } from "react";
import type { UserFields, UserInfo } from "../../../../shared/schemas/user.ts";
import type { Placed } from "../../../../shared/named_roots.ts";
import { usePage } from "../../../base/core/page.ts";
import type { GroupRow, NewUserDefaults } from "../../../../shared/settings_data.ts";
import type { Fields } from "../../../base/ui/use_form.ts";
import { type UserDraft, useUserForm } from "./use_user_form.ts";
import { useTranslation } from "react-i18next";
import { Card } from "../../../../../components/Card.tsx";
import { CommandsField, PermissionFields, ScopeField } from "./PermissionFields.tsx";
import type { Factors } from "../../../../shared/schemas/factors.ts";
import { ResetFactors } from "../factors/ResetFactors.tsx";
import { RecordForm } from "../Form.tsx";
import { success } from "../../../../shared/result.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { ChosenList, PickField } from "../../../base/ui/lists/PickField.tsx";
import { readPage } from "../../../base/ui/lists/use_list.ts";
import { ChoiceFields } from "../groups/ChoiceFields.tsx";
import { isLimited } from "../../../../shared/schemas/quota.ts";
import { QuotaFields } from "./QuotaFields.tsx";
import { QuotaUse } from "./QuotaUse.tsx";
import { ResetLink } from "./ResetLink.tsx";
import { RootsEditor } from "../roots/RootsEditor.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { ViewFields } from "../profile/ViewFields.tsx";
import { CheckField, TextField } from "../../../../../components/Fields.tsx";

/** Groups that are found at once. */
const MOST_FOUND = 8;

interface UserFormProps {
  /** Null for a new one. */
  user: UserInfo | null;
  /** The first groups, and those of the user. */
  groups: readonly GroupRow[];
  /** There are others, to be looked up. */
  hasMoreGroups: boolean;
  defaults: NewUserDefaults;
  factors: Factors;
  locales: readonly string[];
  /** The administrator's own place, which gives own paths their meaning. */
  own: Placed;
}

/** All fields of one user, for administrators. */
export function UserForm(props: UserFormProps) {
  const { user, groups: first, hasMoreGroups, defaults, factors, locales, own } = props;
  const { t } = useTranslation();
  const { calls } = useApi();
  const [groups, setGroups] = useState(first);
  const { form, title, former, provesInForm, remove } = useUserForm(user, newUser(defaults));
  const { values: wanted, change } = form;
  const joined = groups.filter(({ id }) => wanted.groups.includes(id));
  const hasRoots = [wanted, ...joined].some(({ roots }) => roots.length > 0);
  const hasQuota = [former, ...groups.filter(({ id }) => former?.groups.includes(id))]
    .some((each) => isLimited(each?.quota));

  return (
    <RecordForm form={form} list="users" remove={remove}>
      <Card id="user" title={title}>
        <SignInFields form={form} isNew={former === null} provesInForm={provesInForm} />
        {former && <ResetLink user={former} address={wanted.mail} form={form} />}
        {former && <ResetFactors user={former} factors={factors} />}
      </Card>
      <Card id="access" title={t("settings.access")}>
        <ScopeField
          {...form.field("scope")}
          makesHome={former === null && defaults.createUserDir}
          isIdle={hasRoots}
          own={own}
        />
        <RootsEditor
          {...form.field("roots")}
          hint={t("settings.roots.userText")}
          own={own}
        />
        {groups.length > 0 && hasMoreGroups && (
          <fieldset className="field-group" aria-describedby="group-hint">
            <legend className="field__label">{t("settings.groups.title")}</legend>
            <p className="field__hint" id="group-hint">{t("settings.groups.hint")}</p>
            <PickField<GroupRow>
              name="group"
              label={t("links.addName", { name: t("settings.groups.title") })}
              find={async (query, signal) => {
                const asked = { query, limit: MOST_FOUND, counts: true };
                const answer = await readPage<GroupRow>(calls, "GET /api/groups", asked, signal);
                return answer.ok ? success(answer.value.items) : answer;
              }}
              isChosen={({ id }) =>
                wanted.groups.includes(id)}
              onPick={(group) => {
                setGroups([
                  ...groups.filter(({ id }) =>
                    id !== group.id
                  ),
                  group,
                ]);
                change({ groups: [...wanted.groups, group.id].sort((a, b) => a - b) });
              }}
            />
            <ChosenList
              field="group"
              items={joined}
              onRemove={({ id }) => change({ groups: wanted.groups.filter((of) => of !== id) })}
            />
          </fieldset>
        )}
        {groups.length > 0 && !hasMoreGroups && (
          <ChoiceFields
            name="group"
            title={t("settings.groups.title")}
            hint={t("settings.groups.hint")}
            options={groups.map(({ id, name }) => [id, name])}
            chosen={wanted.groups}
            onChange={(ids) => change({ groups: ids })}
          />
        )}
        <PermissionFields
          value={wanted.perm}
          onChange={(perm) => change({ perm, lockPassword: wanted.lockPassword && !perm.admin })}
        />
        <CommandsField {...form.field("commands")} />
        <QuotaFields
          {...form.field("quota")}
          hint={hasRoots ? t("quota.rootsHint") : undefined}
        />
        {user && hasQuota && <QuotaUse id={user.id} />}
        <RulesEditor
          {...form.field("rules")}
          list="user"
          folds
          hint={hasRoots ? t("settings.rules.rootsText") : undefined}
          global={defaults.rules}
          groups={joined.flatMap((group) => group.rules)}
          user={user?.id}
        />
      </Card>
      <Card id="view" title={t("settings.preferences")}>
        <ViewFields form={form} locales={locales} />
      </Card>
    </RecordForm>
  );
}

function newUser({ fields, createUserDir }: NewUserDefaults): UserFields {
  return createUserDir ? { ...fields, scope: "" } : fields;
}

interface SignInFieldsProps {
  form: Fields<UserDraft>;
  isNew: boolean;
  /** The administrator's own password is asked for. */
  provesInForm: boolean;
}

/** The user name and the password of a user. */
function SignInFields({ form, isNew, provesInForm }: SignInFieldsProps) {
  const { t } = useTranslation();
  const { EnableMail, MinimumPasswordLength } = usePage().data.config;
  const isAdmin = form.values.perm.admin;
  return (
    <>
      <div className="fields">
        <TextField {...form.field("username")} label={t("login.username")} verbatim required />
        <TextField
          {...form.field("password")}
          type="password"
          label={t("login.password")}
          hint={t("settings.passwordHint", { length: MinimumPasswordLength })}
          placeholder={isNew ? undefined : t("settings.users.blankPassword")}
          autoComplete="new-password"
          required={isNew}
        />
        {EnableMail && (
          <TextField
            {...form.field("mail")}
            type="email"
            label={t("mail.userAddress")}
            hint={t("mail.userAddressHint")}
            verbatim
            trim
          />
        )}
        {provesInForm && (
          <TextField
            {...form.field("current")}
            type="password"
            label={t("prompts.currentPassword")}
            hint={t("prompts.passwordText")}
            autoComplete="current-password"
            required
          />
        )}
      </div>
      <CheckField
        {...form.field("lockPassword")}
        label={t("settings.lockPassword")}
        hint={isAdmin ? t("settings.lockPasswordAdmin") : undefined}
        disabled={isAdmin}
      />
    </>
  );
}
