import { useTranslation } from "react-i18next";
import type { ListPage } from "../../../../shared/list_page.ts";
import { success } from "../../../../shared/result.ts";
import type { UserName } from "../../../../shared/settings_data.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { PagedList } from "../../../base/ui/lists/PagedTable.tsx";
import { type Choice, ChosenList, PickField } from "../../../base/ui/lists/PickField.tsx";
import { readPage, useList } from "../../../base/ui/lists/use_list.ts";

/** Users who are found at once. */
const MOST_FOUND = 8;

/** Who is to come into a group, and who is to go. */
export interface MovedMembers {
  join: readonly UserName[];
  leave: readonly UserName[];
}

/** A user who was looked up, with the groups that the user is in. */
interface Found extends UserName, Choice {
  groups: number[];
}

interface MembersFieldProps {
  /** The group's number; absent for a new one. */
  group?: number;
  /** The first of its members. */
  members: ListPage<UserName>;
  moved: MovedMembers;
  onChange(moved: MovedMembers): void;
}

/** The members of a group where there are many users: searched, shown page by page, and moved. */
export function MembersField({ group, members, moved, onChange }: MembersFieldProps) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const shown = useList<UserName>(members, "GET /api/users", {
    name: "members-",
    query: { group },
  });
  const has = (list: readonly UserName[], id: number) => list.some((each) => each.id === id);
  const without = (list: readonly UserName[], id: number) => list.filter((each) => each.id !== id);
  const { join, leave } = moved;
  const present = shown.items.filter(({ id }) => !has(leave, id) && !has(join, id));
  const title = t("settings.groups.members");
  return (
    <fieldset className="field-group" aria-describedby="member-hint">
      <legend className="field__label">{title}</legend>
      <p className="field__hint" id="member-hint">{t("settings.groups.membersHint")}</p>
      <PickField<Found>
        name="member"
        label={t("links.addName", { name: title })}
        find={async (query, signal) => {
          const asked = { query, limit: MOST_FOUND };
          const answer = await readPage<Omit<Found, "name">>(
            calls,
            "GET /api/users",
            asked,
            signal,
          );
          if (!answer.ok) return answer;
          return success(answer.value.items.map((user) => ({ ...user, name: user.username })));
        }}
        isChosen={({ id, groups }) =>
          has(join, id) || groups.some((each) => each === group) && !has(leave, id)}
        onPick={({ id, username }) =>
          onChange(
            has(leave, id)
              ? { join, leave: without(leave, id) }
              : { join: [...join, { id, username }], leave },
          )}
      />
      <ChosenList
        field="member"
        items={join.map(({ id, username }) => ({ id, name: username }))}
        onRemove={({ id }) => onChange({ join: without(join, id), leave })}
      />
      {group !== undefined && (
        <PagedList list={shown} name="members-" inForm>
          <ChosenList
            field="member"
            items={present.map(({ id, username }) => ({ id, name: username }))}
            onRemove={({ id, name }) =>
              onChange({ join, leave: [...leave, { id, username: name }] })}
          />
        </PagedList>
      )}
    </fieldset>
  );
}
