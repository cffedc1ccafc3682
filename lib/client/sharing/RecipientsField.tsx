import { Plus, Users, X } from "lucide";
import { useState } from "react";
import { IconButton } from "../../../components/Button.tsx";
import { Field } from "../../../components/Fields.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { type RecipientRight, recipientRights } from "../../shared/schemas/choices/choices.ts";
import type { Recipient } from "../../shared/schemas/share.ts";
import { useMay } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { useNames } from "./use_names.ts";

interface RecipientsFieldProps {
  value: readonly Recipient[];
  /** The name that is typed and not in the list yet. */
  typed: string;
  isFolder: boolean;
  /** Recipients may only view. */
  viewOnly: boolean;
  complaint?: string;
  onChange: (value: readonly Recipient[], typed: string) => void;
}

const LIST = "recipient-names";

/**
 * Whom a share is for: a field in which names are typed, or picked among those that are offered,
 * and the list of those who were named, each with what they may do. The arrow keys choose an
 * offered name, Enter or a comma takes it; Esc closes the offers.
 */
export function RecipientsField(props: RecipientsFieldProps) {
  const { value, typed, complaint, onChange } = props;
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const found = useNames(isOpen ? typed : "");
  const offered = found.filter((name) => value.every((each) => each.name !== name));
  const isShown = isOpen && offered.length > 0;

  const take = (text: string) => {
    onChange(withNames(value, text), "");
    setOpen(false);
    setAt(-1);
  };
  const type = (text: string) => {
    setAt(-1);
    setOpen(text.trim() !== "");
    // The part before a comma is complete, also in a pasted text.
    const whole = text.lastIndexOf(",");
    if (whole < 0) return onChange(value, text);
    onChange(withNames(value, text.slice(0, whole)), text.slice(whole + 1).trimStart());
  };
  const press = (key: string): boolean => {
    if (isShown && (key === "ArrowDown" || key === "ArrowUp")) {
      const last = offered.length - 1;
      setAt(key === "ArrowDown" ? (at >= last ? 0 : at + 1) : at <= 0 ? last : at - 1);
    } else if (key === "Enter" && typed.trim() !== "") take(offered[at] ?? typed);
    else if (key === "Escape" && isShown) setOpen(false);
    else return false;
    return true;
  };

  return (
    <div className="recipients">
      <Field
        name="share-audience"
        label={t("links.audience")}
        hint={t("links.audienceHint")}
        complaint={complaint}
      >
        {(control) => (
          <>
            <input
              {...control}
              type="text"
              className="field__input"
              role="combobox"
              aria-expanded={isShown}
              aria-controls={LIST}
              aria-autocomplete="list"
              aria-activedescendant={isShown && at >= 0 ? `${LIST}-${at}` : undefined}
              dir="auto"
              autoCapitalize="none"
              autoComplete="off"
              spellcheck={false}
              enterKeyHint="enter"
              value={typed}
              onInput={(event) => type(event.currentTarget.value)}
              onBlur={() => setOpen(false)}
              onKeyDown={(event) => {
                if (event.isComposing || !press(event.key)) return;
                event.preventDefault();
                event.stopPropagation();
              }}
            />
            {typed.trim() !== "" && (
              <span className="field__end">
                <IconButton
                  label={t("links.addName", { name: typed.trim() })}
                  glyph={Plus}
                  onClick={() => take(typed)}
                />
              </span>
            )}
          </>
        )}
      </Field>
      <ul
        id={LIST}
        role="listbox"
        aria-label={t("links.namesFound")}
        className="recipients__names"
        hidden={!isShown}
      >
        {offered.map((name, index) => (
          <li
            key={name}
            id={`${LIST}-${index}`}
            role="option"
            aria-selected={index === at}
            className="recipients__name"
            // The field keeps the focus, so that the list is still there for the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => take(name)}
            ref={(row) => {
              if (row && index === at) row.scrollIntoView({ block: "nearest" });
            }}
          >
            <bdi>{name}</bdi>
          </li>
        ))}
      </ul>
      <span className="unseen" role="status">
        {isShown && t("search.count", { count: offered.length })}
      </span>
      {value.length > 0 && <RecipientList {...props} />}
    </div>
  );
}

function RecipientList(
  { value, typed, isFolder, viewOnly, onChange }: RecipientsFieldProps,
) {
  const { t } = useTranslation();
  const may = useMay();
  const given = (right: RecipientRight) => value.some((each) => each.may === right);
  // Nobody can give what the owner may not do.
  const mayGive: Record<RecipientRight, boolean> = {
    view: true,
    download: true,
    upload: isFolder && may("create"),
    edit: (["create", "modify", "rename", "delete"] as const).every(may),
  };
  const rights = recipientRights.filter((right) => given(right) || mayGive[right]);
  return (
    <ul className="recipients__list">
      {value.map((recipient) => (
        <li key={recipient.name} className="recipients__row">
          {recipient.name.startsWith("@") && <Icon glyph={Users} />}
          <bdi className="recipients__who">{recipient.name}</bdi>
          <select
            className="field__input recipients__right"
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
            onClick={() => onChange(value.filter((each) => each !== recipient), typed)}
          />
        </li>
      ))}
    </ul>
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
