import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { Rule } from "../../../../shared/api_types.ts";
import type { GroupInfo } from "../../../../shared/schemas/group.ts";
import type { UserName } from "../../../../shared/settings_data.ts";
import { Card } from "../../../../../components/Card.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import type { Placed } from "../../../../shared/named_roots.ts";
import { usePage } from "../../../base/core/page.ts";
import { BackLink, Form, RecordFoot } from "../Form.tsx";
import { areFaultless, RootsEditor } from "../roots/RootsEditor.tsx";
import { RulesEditor } from "../rules/RulesEditor.tsx";
import { PermissionFields } from "../users/AccessFields.tsx";
import { QuotaFields } from "../users/QuotaFields.tsx";
import { deepEqual } from "../users/user_changes.ts";
import { useUnsaved } from "../use_unsaved.ts";
import type { ListPage } from "../../../../shared/list_page.ts";
import { ChoiceFields } from "./ChoiceFields.tsx";
import { MembersField, type MovedMembers } from "./MembersField.tsx";
import { draftOf, type GroupDraft, newGroup, useGroupActions } from "./use_group_actions.ts";

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

const noneMoved: MovedMembers = { join: [], leave: [] };

/** All fields of one group, and its members, for administrators. */
export function GroupForm({ group, users, members, rules, own }: GroupFormProps) {
  const { t } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const actions = useGroupActions(group);
  const { sending, former } = actions;
  const [blank] = useState(newGroup);
  const [wanted, setWanted] = useState(former ? draftOf(former) : blank);
  const [moved, setMoved] = useState<MovedMembers>(noneMoved);
  const isMoved = moved.join.length + moved.leave.length > 0;
  const change = (changed: Partial<GroupDraft>) => setWanted({ ...wanted, ...changed });

  const save = async () => {
    const isNamed = wanted.name.trim() !== "";
    if (isNamed && areFaultless(wanted.roots)) {
      const isSaved = await actions.save(wanted, isMoved ? moved : undefined);
      if (isSaved) setMoved(noneMoved);
      return isSaved;
    }
    if (!isNamed) sending.refuse("group", t("settings.groups.nameMissing"));
    else sending.refuse("roots", t("settings.roots.faulty"));
    return false;
  };
  const title = former
    ? t("settings.groups.titled", { name: former.name })
    : t("settings.groups.newTitle");
  const isChanged = isMoved || !deepEqual(wanted, former ? draftOf(former) : blank);
  useUnsaved({ name: title, isChanged, save });

  return (
    <Form className="settings__form" busy={sending.busy} onSend={() => void save()}>
      <BackLink
        title={t("settings.groups.title")}
        words={t("settings.groups.back")}
        href={`${BaseURL}/settings/groups`}
      />
      <Card id="group" title={title}>
        <TextField
          name="group"
          label={t("settings.groups.name")}
          verbatim
          required
          value={wanted.name}
          complaint={sending.about("group")}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        {users.next === null
          ? (
            <ChoiceFields
              name="member"
              title={t("settings.groups.members")}
              hint={t("settings.groups.membersHint")}
              options={users.items.map(({ id, username }) => [id, username])}
              chosen={wanted.members}
              onChange={(members) => change({ members })}
            />
          )
          : (
            <MembersField
              group={group?.id}
              members={members}
              moved={moved}
              onChange={setMoved}
            />
          )}
      </Card>
      <Card id="access" title={t("settings.access")}>
        <RootsEditor
          roots={wanted.roots}
          hint={t("settings.roots.groupText")}
          own={own}
          complaint={sending.about("roots")}
          onChange={(roots) => change({ roots })}
        />
        <PermissionFields value={wanted.perm} onChange={(perm) => change({ perm })} />
        <QuotaFields
          value={wanted.quota}
          hint={t("quota.groupHint")}
          onChange={(quota) => change({ quota })}
        />
        <RulesEditor
          rules={wanted.rules}
          list="user"
          hint={t("settings.rules.groupText")}
          global={rules}
          complaint={sending.about("rules")}
          onChange={(changed) => change({ rules: changed })}
        />
      </Card>
      <RecordFoot
        busy={sending.busy}
        onRemove={former ? () => void actions.remove() : undefined}
      />
    </Form>
  );
}
