import { useState } from "react";
import type { GroupInfo } from "../../../../shared/schemas/group.ts";
import { permissionsWhere } from "../../../../shared/schemas/choices/choices.ts";
import type { UserName } from "../../../../shared/settings_data.ts";
import type { MovedMembers } from "./MembersField.tsx";
import { areFaultless } from "../roots/RootsEditor.tsx";
import { useSettingsForm } from "../use_settings_form.ts";
import { type RecordForm, useRecord } from "../use_record.ts";

/** All that a form says of a group. */
type GroupDraft = Omit<GroupInfo, "id"> & { moved: MovedMembers };

const noneMoved: MovedMembers = { join: [], leave: [] };

/** What the form of a stored group says at first. */
function draftOf({ id: _, ...fields }: GroupInfo): GroupDraft {
  return { ...fields, moved: noneMoved };
}

/** Creates, changes and removes the group of a form, then navigates. */
export function useGroupForm(group: GroupInfo | null): RecordForm<GroupInfo, GroupDraft> {
  const record = useRecord();
  const { t, BaseURL, LoginPage, account, session, toasts, leave } = record;
  const [former, setFormer] = useState(group);
  const groups = `${BaseURL}/settings/groups`;
  const title = former
    ? t("settings.groups.titled", { name: former.name })
    : t("settings.groups.newTitle");

  /** The own rights may be others now, on which the pages depend. */
  const isOwn = (members: readonly number[]) =>
    members.includes(session.user.peek()?.id ?? 0) && LoginPage;

  const form = useSettingsForm<GroupDraft, GroupInfo>(former ? draftOf(former) : newGroup(), {
    title,
    fields: { exists: "name", invalid_name: "name", invalid_rule: "rules" },
    check({ name, roots }) {
      if (name.trim() === "") return ["name", t("settings.groups.nameMissing")];
      return areFaultless(roots) ? null : ["roots", t("settings.roots.faulty")];
    },
    password: "first",
    save({ moved, ...wanted }, current) {
      const [join, leave] = [idsOf(moved.join), idsOf(moved.leave)];
      const isMoved = join.length + leave.length > 0;
      if (former === null) {
        return account.addGroup(isMoved ? { ...wanted, members: join } : wanted, current);
      }
      const { members, ...fields } = wanted;
      const change = isMoved
        ? { ...fields, join, leave }
        : String(members) === String(former.members)
        ? fields
        : wanted;
      return account.changeGroup(former.id, change, current);
    },
    async done({ id }, { moved, ...wanted }) {
      // Of a large group not all members are known here.
      const others = [...idsOf(moved.join), ...idsOf(moved.leave)];
      if (isOwn([...former?.members ?? [], ...wanted.members, ...others])) await account.refresh();
      if (former === null) return leave("groupCreated", `${groups}/${id}`);
      setFormer({ ...former, ...wanted });
      form.reset({ ...wanted, moved: noneMoved });
      toasts.success(t("toasts.groupUpdated"));
    },
  });

  return {
    form,
    title,
    former,
    remove: former
      ? () =>
        record.remove(
          form,
          t("settings.groups.sure"),
          (current) => account.removeGroup(former.id, current),
          async () => {
            if (isOwn(former.members)) await account.refresh();
            leave("groupDeleted", groups);
          },
        )
      : undefined,
  };
}

function idsOf(users: readonly UserName[]): number[] {
  return users.map(({ id }) => id);
}

/** A group that gives nothing to anyone. */
function newGroup(): GroupDraft {
  return {
    name: "",
    perm: permissionsWhere(() => false),
    rules: [],
    roots: [],
    quota: { bytes: 0, files: 0 },
    members: [],
    moved: noneMoved,
  };
}
