import { Users } from "lucide";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../components/Icon.tsx";
import { success } from "../../../shared/result.ts";
import { type RecipientRight, recipientRights } from "../../../shared/schemas/choices/choices.ts";
import type { Recipient } from "../../../shared/schemas/share.ts";
import { usePage } from "../../base/core/page.ts";
import { useMay } from "../../base/core/use_site.ts";
import { type Choice, ChosenList, PickField } from "../../base/ui/lists/PickField.tsx";
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

/** The fewest characters that the server looks names up by. */
const FEWEST = 2;

/**
 * The recipients of a share: a field in which names are typed or picked, and the list of those who
 * were named, each with what they may do. A comma takes a name, too.
 */
export function RecipientsField(props: RecipientsFieldProps) {
  const { name: field, value, typed, isFolder, viewOnly, complaint, onChange } = props;
  const { t } = useTranslation();
  const { SuggestNames } = usePage().data.config;
  const api = useShareApi();
  const may = useMay();
  const given = (right: RecipientRight) => value.some((each) => each.may === right);
  // An owner gives no right that the owner lacks.
  const mayGive: Record<RecipientRight, boolean> = {
    view: true,
    download: true,
    upload: isFolder && may("create"),
    edit: (["create", "modify", "rename", "delete"] as const).every(may),
  };
  const rights = recipientRights.filter((right) => given(right) || mayGive[right]);
  const take = (text: string) => onChange(withNames(value, text), "");
  return (
    <div className="pick">
      <PickField<Choice>
        name={field}
        label={t("links.audience")}
        hint={t("links.audienceHint")}
        complaint={complaint}
        find={async (text, signal) => {
          const isAsked = SuggestNames === true && [...text.replace(/^@/, "")].length >= FEWEST;
          if (!isAsked) return success([]);
          const answer = await api.namesLike(text, signal);
          return answer.ok ? success(answer.value.map((name) => ({ name }))) : answer;
        }}
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
      />
      <ChosenList
        field={field}
        items={value}
        onRemove={({ name }) => onChange(value.filter((each) => each.name !== name), typed)}
      >
        {(recipient) => (
          <>
            {recipient.name.startsWith("@") && <Icon glyph={Users} />}
            <select
              className="field__input"
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
          </>
        )}
      </ChosenList>
    </div>
  );
}

/** The list with the names in a text, which has commas between them; they may download at first. */
export function withNames(value: readonly Recipient[], text: string): readonly Recipient[] {
  const names = text.split(",").map((name) => name.trim().normalize("NFC")).filter(Boolean);
  const added = [...new Set(names)].filter((name) => value.every((each) => each.name !== name));
  return added.length === 0
    ? value
    : [...value, ...added.map((name): Recipient => ({ name, may: "download" }))];
}
