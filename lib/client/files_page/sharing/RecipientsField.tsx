import { User, Users, X } from "lucide";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../components/Button.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { success } from "../../../shared/result.ts";
import { type RecipientRight, recipientRights } from "../../../shared/schemas/choices/choices.ts";
import type { Recipient } from "../../../shared/schemas/share.ts";
import { usePage } from "../../base/core/page.ts";
import { useMay } from "../../base/core/use_site.ts";
import { type Choice, PickField } from "../../base/ui/lists/PickField.tsx";
import { useShareApi } from "./share_api.ts";

interface RecipientsFieldProps {
  /** Prefix of the ids, unique on the page. */
  name: string;
  value: readonly Recipient[];
  /** The name that is typed and not in the list yet. */
  typed: string;
  isFolder: boolean;
  /** Recipients may only view. */
  viewOnly: boolean;
  complaint?: string;
  onChange: (value: readonly Recipient[], typed: string) => void;
}

/** The rights that a user may give by a share, in a form; those that were given before stay. */
export function useRights(
  isFolder: boolean,
): (given: readonly RecipientRight[]) => RecipientRight[] {
  const may = useMay();
  // An owner gives no right that the owner lacks.
  const mayGive: Record<RecipientRight, boolean> = {
    view: true,
    download: true,
    upload: isFolder && may("create"),
    edit: (["create", "modify", "rename", "delete"] as const).every(may),
  };
  return (given) => recipientRights.filter((right) => given.includes(right) || mayGive[right]);
}

/** The fewest characters that the server looks names up by. */
const FEWEST = 2;

/**
 * The people and groups of a share: a box in which names are typed or picked, and which holds a chip
 * for each that was named, with the right it has. A comma takes a name, too, and Backspace the last
 * chip.
 */
export function RecipientsField(props: RecipientsFieldProps) {
  const { name: field, value, typed, isFolder, viewOnly, complaint, onChange } = props;
  const { t } = useTranslation();
  const { SuggestNames } = usePage().data.config;
  const api = useShareApi();
  const rights = useRights(isFolder)(value.map(({ may }) => may));
  const take = (text: string) => onChange(withNames(value, text), "");
  const without = (name: string) => value.filter((each) => each.name !== name);
  return (
    <PickField<Choice>
      name={field}
      label={t("links.people")}
      placeholder={value.length === 0 ? t("links.typeName") : undefined}
      hint={SuggestNames ? undefined : t("links.peopleWhole")}
      complaint={complaint}
      find={async (text, signal) => {
        if ([...text.replace(/^@/, "")].length < FEWEST) return success([]);
        const answer = await api.namesLike(text, signal);
        return answer.ok ? success(answer.value.map((name) => ({ name }))) : answer;
      }}
      glyphOf={glyphOf}
      isChosen={({ name }) => value.some((each) => each.name === name)}
      onPick={({ name }) => take(name)}
      typed={typed}
      onType={(text) => {
        // The part before a comma is complete, also in a pasted text.
        const whole = text.lastIndexOf(",");
        if (whole < 0) return onChange(value, text);
        onChange(withNames(value, text.slice(0, whole)), text.slice(whole + 1).trimStart());
      }}
      onTake={take}
      onBack={() => onChange(value.slice(0, -1), typed)}
      chips={
        <ul className="pick__chips" aria-label={t("links.chosen")}>
          {value.map((recipient) => (
            <li key={recipient.name} className="pick__chip">
              <Icon glyph={glyphOf(recipient)} />
              <bdi className="pick__chip-name">{recipient.name}</bdi>
              <select
                className="pick__right"
                aria-label={t("links.rightsOf", { name: recipient.name })}
                disabled={viewOnly}
                value={viewOnly ? "view" : recipient.may}
                onChange={(event) => {
                  const right = rights.find((each) => each === event.currentTarget.value);
                  if (!right) return;
                  const changed = { ...recipient, may: right };
                  onChange(value.map((each) => each === recipient ? changed : each), typed);
                }}
              >
                {rights.map((right) => (
                  <option
                    key={right}
                    value={right}
                    selected={right === (viewOnly ? "view" : recipient.may)}
                  >
                    {t(`links.rights.${right}`)}
                  </option>
                ))}
              </select>
              <IconButton
                label={t("request.giveUp", { name: recipient.name })}
                glyph={X}
                onClick={({ currentTarget }) => {
                  const chip = currentTarget.closest("li");
                  const near = chip?.nextElementSibling ?? chip?.previousElementSibling;
                  const next = near?.querySelector("button") ??
                    document.getElementById(`field-${field}`);
                  next?.focus();
                  onChange(without(recipient.name), typed);
                }}
              />
            </li>
          ))}
        </ul>
      }
    />
  );
}

function glyphOf({ name }: Choice) {
  return name.startsWith("@") ? Users : User;
}

/** The list with the names in a text, which has commas between them; they may download at first. */
export function withNames(value: readonly Recipient[], text: string): readonly Recipient[] {
  const names = text.split(",").map((name) => name.trim().normalize("NFC")).filter(Boolean);
  const added = [...new Set(names)].filter((name) => value.every((each) => each.name !== name));
  return added.length === 0
    ? value
    : [...value, ...added.map((name): Recipient => ({ name, may: "download" }))];
}
