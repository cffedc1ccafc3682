import type { GroupInfo } from "../../../../shared/schemas/group.ts";
import { permissionsWhere } from "../../../../shared/schemas/choices/choices.ts";
import type { FailureCode } from "../../../../shared/result.ts";
import type { UserName } from "../../../../shared/settings_data.ts";
import type { MovedMembers } from "./MembersField.tsx";
import { useRecord } from "../use_record.ts";
import type { Sending } from "../use_sending.ts";

/** All that a form says of a group. */
export type GroupDraft = Omit<GroupInfo, "id">;

/** What the form of a stored group says at first. */
export function draftOf({ id: _, ...fields }: GroupInfo): GroupDraft {
  return fields;
}

/** The form field of each error. */
const FIELDS: Partial<Record<FailureCode, string>> = {
  exists: "group",
  invalid_name: "group",
  invalid_rule: "rules",
};

/** The actions on the group that a form shows. */
export interface GroupActions {
  sending: Sending;
  /** The group as stored; null for a new one. */
  former: GroupInfo | null;
  /** Creates or changes the group; returns whether that succeeded. */
  save(wanted: GroupDraft, moved?: MovedMembers): Promise<boolean>;
  /** Removes the group, after a confirmation. */
  remove(): Promise<void>;
}

/** Creates, changes and removes the group of a form, then navigates. */
export function useGroupActions(group: GroupInfo | null): GroupActions {
  const record = useRecord(group);
  const { t, BaseURL, LoginPage, account, session, toasts, sending, leave } = record;
  const { former, setFormer } = record;
  const groups = `${BaseURL}/settings/groups`;

  /** The own rights may be others now, on which the pages depend. */
  const isOwn = (members: readonly number[]) =>
    members.includes(session.user.peek()?.id ?? 0) && LoginPage;

  const create = async (draft: GroupDraft, moved?: MovedMembers) => {
    const wanted = moved ? { ...draft, members: idsOf(moved.join) } : draft;
    const answer = await sending.send((current) => account.addGroup(wanted, current), {
      fields: FIELDS,
      password: "first",
    });
    if (!answer.ok) return false;
    if (isOwn(wanted.members)) await account.refresh();
    leave("groupCreated", `${groups}/${answer.value.id}`);
    return true;
  };
  const update = async (
    before: GroupInfo,
    { members, ...wanted }: GroupDraft,
    moved?: MovedMembers,
  ) => {
    const change = moved
      ? { ...wanted, join: idsOf(moved.join), leave: idsOf(moved.leave) }
      : String(members) === String(before.members)
      ? wanted
      : { ...wanted, members };
    const answer = await sending.send(
      (current) => account.changeGroup(before.id, change, current),
      {
        fields: FIELDS,
        password: "first",
      },
    );
    if (!answer.ok) return false;
    setFormer({ ...before, ...wanted, members });
    // Of a large group not all members are known here.
    const others = moved ? [...idsOf(moved.join), ...idsOf(moved.leave)] : [];
    if (isOwn([...before.members, ...members, ...others])) await account.refresh();
    toasts.success(t("toasts.groupUpdated"));
    return true;
  };

  return {
    sending,
    former,
    save: (wanted, moved) =>
      former === null ? create(wanted, moved) : update(former, wanted, moved),
    async remove() {
      if (former === null) return;
      const isRemoved = await record.remove(
        t("settings.groups.sure"),
        (current) => account.removeGroup(former.id, current),
      );
      if (!isRemoved) return;
      if (isOwn(former.members)) await account.refresh();
      leave("groupDeleted", groups);
    },
  };
}

function idsOf(users: readonly UserName[]): number[] {
  return users.map(({ id }) => id);
}

/** A group that gives nothing to anyone. */
export function newGroup(): GroupDraft {
  return {
    name: "",
    perm: permissionsWhere(() => false),
    rules: [],
    roots: [],
    quota: { bytes: 0, files: 0 },
    members: [],
  };
}
