import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { UserFields, UserInfo } from "../../../../shared/api_types.ts";
import type { Placed } from "../../../../shared/named_roots.ts";
import { usePage } from "../../../base/core/page.ts";
import type { GroupRow, NewUserDefaults } from "../../../../shared/settings_data.ts";
import { deepEqual } from "./user_changes.ts";
import { useUnsaved } from "../use_unsaved.ts";
import { useUserActions } from "./use_user_actions.ts";
import { Card } from "../../../../../components/Card.tsx";
import { CommandsField, PermissionFields, ScopeField } from "./AccessFields.tsx";
import type { Factors } from "../../../../shared/schemas/factors.ts";
import { isMailAddress } from "../../../../shared/mailbox.ts";
import { ResetFactors } from "../factors/ResetFactors.tsx";
import { BackLink, Form, RecordFoot } from "../Form.tsx";
import { success } from "../../../../shared/result.ts";
import { path } from "../../../base/api/api_path.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { ChosenList, PickField } from "../../../base/ui/lists/PickField.tsx";
import { readPage } from "../../../base/ui/lists/use_list.ts";
import { ChoiceFields } from "../groups/ChoiceFields.tsx";
import { isLimited } from "../../../../shared/schemas/quota.ts";
import { QuotaFields } from "./QuotaFields.tsx";
import { QuotaUse } from "./QuotaUse.tsx";
import { ResetLink } from "./ResetLink.tsx";
import { areFaultless, RootsEditor } from "../roots/RootsEditor.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { ViewFields } from "../profile/ViewFields.tsx";
import type { Sending } from "../use_sending.ts";
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
  const { BaseURL } = usePage().data.config;
  const actions = useUserActions(user);
  const { sending, former } = actions;
  const [blank] = useState(() => newUser(defaults));
  const [wanted, setWanted] = useState<UserFields>(former ?? blank);
  const [password, setPassword] = useState("");
  const change = (changed: Partial<UserFields>) => setWanted({ ...wanted, ...changed });
  const joined = groups.filter(({ id }) => wanted.groups.includes(id));
  const hasRoots = [wanted, ...joined].some(({ roots }) => roots.length > 0);
  const hasQuota = [former, ...groups.filter(({ id }) => former?.groups.includes(id))]
    .some((each) => isLimited(each?.quota));

  const save = async () => {
    if (wanted.username.trim() === "") {
      sending.refuse("username", t("settings.users.nameMissing"));
      return false;
    }
    if (wanted.mail !== "" && !isMailAddress(wanted.mail)) {
      sending.refuse("mail", t("errors.invalid_address"));
      return false;
    }
    if (!areFaultless(wanted.roots)) {
      sending.refuse("roots", t("settings.roots.faulty"));
      return false;
    }
    const isSaved = await actions.save(wanted, password);
    if (isSaved) setPassword("");
    return isSaved;
  };
  const title = former
    ? t("settings.users.titled", { name: former.username })
    : t("settings.users.newTitle");
  const isChanged = password !== "" || !deepEqual(wanted, former ?? blank);
  useUnsaved({ name: title, isChanged, save });

  return (
    <Form className="settings__form" busy={sending.busy} onSend={() => void save()}>
      <BackLink
        title={t("settings.users.title")}
        words={t("settings.users.back")}
        href={`${BaseURL}/settings/users`}
      />
      <Card
        id="user"
        title={title}
      >
        <SignInFields
          value={wanted}
          password={password}
          isNew={former === null}
          sending={sending}
          onChange={change}
          onPassword={setPassword}
        />
        {former && <ResetLink user={former} address={wanted.mail} sending={sending} />}
        {former && <ResetFactors user={former} factors={factors} />}
      </Card>
      <Card id="access" title={t("settings.access")}>
        <ScopeField
          value={wanted.scope}
          makesHome={former === null && defaults.createUserDir}
          isIdle={hasRoots}
          complaint={sending.about("scope")}
          onChange={(scope) => change({ scope })}
        />
        <RootsEditor
          roots={wanted.roots}
          hint={t("settings.roots.userText")}
          own={own}
          complaint={sending.about("roots")}
          onChange={(roots) => change({ roots })}
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
                const answer = await readPage<GroupRow>(calls, path`/api/groups`, asked, signal);
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
        <CommandsField
          commands={wanted.commands}
          onChange={(commands) => change({ commands })}
        />
        <QuotaFields
          value={wanted.quota}
          hint={hasRoots ? t("quota.rootsHint") : undefined}
          onChange={(quota) => change({ quota })}
        />
        {user && hasQuota && <QuotaUse id={user.id} />}
        <RulesEditor
          rules={wanted.rules}
          list="user"
          hint={hasRoots ? t("settings.rules.rootsText") : undefined}
          global={defaults.rules}
          groups={joined.flatMap((group) => group.rules)}
          user={user?.id}
          complaint={sending.about("rules")}
          onChange={(rules) => change({ rules })}
        />
      </Card>
      <Card id="view" title={t("settings.preferences")}>
        <ViewFields value={wanted} locales={locales} onChange={change} />
      </Card>
      <RecordFoot
        busy={sending.busy}
        onRemove={former ? () => void actions.remove() : undefined}
      />
    </Form>
  );
}

function newUser({ fields, createUserDir }: NewUserDefaults): UserFields {
  return createUserDir ? { ...fields, scope: "" } : fields;
}

interface SignInFieldsProps {
  value: UserFields;
  password: string;
  isNew: boolean;
  sending: Sending;
  onChange: (change: Partial<UserFields>) => void;
  onPassword: (password: string) => void;
}

/** The user name and the password of a user. */
function SignInFields(
  { value, password, isNew, sending, onChange, onPassword }: SignInFieldsProps,
) {
  const { t } = useTranslation();
  const { EnableMail, MinimumPasswordLength } = usePage().data.config;
  return (
    <>
      <div className="fields">
        <TextField
          name="username"
          label={t("login.username")}
          verbatim
          required
          value={value.username}
          complaint={sending.about("username")}
          onInput={(event) => onChange({ username: event.currentTarget.value })}
        />
        <TextField
          name="password"
          type="password"
          label={t("login.password")}
          hint={t("settings.passwordHint", { length: MinimumPasswordLength })}
          placeholder={isNew ? undefined : t("settings.users.blankPassword")}
          autoComplete="new-password"
          required={isNew}
          value={password}
          complaint={sending.about("password")}
          onInput={(event) => onPassword(event.currentTarget.value)}
        />
        {EnableMail && (
          <TextField
            name="mail"
            type="email"
            label={t("mail.userAddress")}
            hint={t("mail.userAddressHint")}
            verbatim
            autoComplete="off"
            value={value.mail}
            complaint={sending.about("mail")}
            onInput={(event) => onChange({ mail: event.currentTarget.value.trim() })}
          />
        )}
      </div>
      <CheckField
        name="lockPassword"
        label={t("settings.lockPassword")}
        hint={value.perm.admin ? t("settings.lockPasswordAdmin") : undefined}
        checked={value.lockPassword}
        disabled={value.perm.admin}
        onChange={(lockPassword) => onChange({ lockPassword })}
      />
    </>
  );
}
