import type { Rule } from "../../../../shared/schemas/rights.ts";
import type { GroupInfo } from "../../../../shared/schemas/group.ts";
import type { UserName } from "../../../../shared/settings_data.ts";
import { Card } from "../../../../../components/Card.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import type { Placed } from "../../../../shared/named_roots.ts";
import { useTranslation } from "react-i18next";
import { RecordForm } from "../Form.tsx";
import { RootsEditor } from "../roots/RootsEditor.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { PermissionFields } from "../users/PermissionFields.tsx";
import { QuotaFields } from "../users/QuotaFields.tsx";
import type { ListPage } from "../../../../shared/list_page.ts";
import { ChoiceFields } from "./ChoiceFields.tsx";
import { MembersField } from "./MembersField.tsx";
import { useGroupForm } from "./use_group_form.ts";

interface GroupFormProps {
  /** Null for a new one. */
  group: GroupInfo | null;
  /** The first users, and the first members: of all of them, where there are not many. */
  users: ListPage<UserName>;
  members: ListPage<UserName>;
  rules: readonly Rule[];
  /** The administrator's own place, which gives own paths their meaning. */
  own: Placed;
}

/** All fields of one group, and its members, for administrators. */
export function GroupForm({ group, users, members, rules, own }: GroupFormProps) {
  const { t } = useTranslation();
  const { form, title, remove } = useGroupForm(group);
  const { values: { moved, members: chosen }, change } = form;

  return (
    <RecordForm form={form} list="groups" remove={remove}>
      <Card id="group" title={title}>
        <TextField
          {...form.field("name", "group")}
          label={t("settings.groups.name")}
          verbatim
          required
        />
        {users.next === null
          ? (
            <ChoiceFields
              name="member"
              title={t("settings.groups.members")}
              hint={t("settings.groups.membersHint")}
              options={users.items.map(({ id, username }) => [id, username])}
              chosen={chosen}
              onChange={(members) => change({ members })}
            />
          )
          : (
            <MembersField
              group={group?.id}
              members={members}
              moved={moved}
              onChange={(moved) => change({ moved })}
            />
          )}
      </Card>
      <Card id="access" title={t("settings.access")}>
        <RootsEditor
          {...form.field("roots")}
          hint={t("settings.roots.groupText")}
          own={own}
        />
        <PermissionFields {...form.field("perm")} />
        <QuotaFields {...form.field("quota")} hint={t("quota.groupHint")} />
        <RulesEditor
          {...form.field("rules")}
          list="user"
          folds
          hint={t("settings.rules.groupText")}
          global={rules}
        />
      </Card>
    </RecordForm>
  );
}
