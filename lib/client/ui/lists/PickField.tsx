import { Check, X } from "lucide";
import { useEffect, useState } from "react";
import { IconButton } from "../../../../components/Button.tsx";
import { Field } from "../../../../components/Fields.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import type { Result } from "../../../shared/result.ts";
import { useTranslation } from "../../core/use_translation.ts";

/** The rest before what is typed is looked up, in milliseconds. */
const TYPING_MS = 200;

/** Something to choose: a user, or a group. */
export interface Choice {
  id: number;
  name: string;
}

interface PickFieldProps<Item extends Choice> {
  /** Prefix of the ids, unique on the page. */
  name: string;
  label: string;
  /** Looks up what contains a text. */
  find(text: string, signal: AbortSignal): Promise<Result<readonly Item[]>>;
  /** Whether an item is chosen already: it is shown as such, and can't be picked. */
  isChosen(item: Item): boolean;
  onPick(item: Item): void;
}

/**
 * A field in which a part of a name is typed, and one of those that are found is picked: by the
 * arrow keys and Enter, or by a click. Esc closes the offers.
 */
export function PickField<Item extends Choice>(props: PickFieldProps<Item>) {
  const { name, label, find, isChosen, onPick } = props;
  const { t } = useTranslation();
  const [text, setText] = useState("");
  const [found, setFound] = useState<readonly Item[] | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const wanted = text.trim();
  useEffect(() => {
    // Until there is an answer, what was found before stays: the list does not flicker.
    if (wanted === "") return setFound(null);
    const stopping = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await find(wanted, stopping.signal);
      if (answer.ok && !stopping.signal.aborted) setFound(answer.value);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [wanted]);

  const offered = found ?? [];
  const isShown = isOpen && wanted !== "" && offered.length > 0;
  const isNothing = isOpen && wanted !== "" && found?.length === 0;
  const list = `${name}-found`;
  const pick = (item: Item | undefined) => {
    if (!item || isChosen(item)) return;
    onPick(item);
    setText("");
    setAt(-1);
  };
  const press = (key: string): boolean => {
    const last = offered.length - 1;
    if (isShown && key === "ArrowDown") setAt(at >= last ? 0 : at + 1);
    else if (isShown && key === "ArrowUp") setAt(at <= 0 ? last : at - 1);
    else if (key === "Enter") {
      if (isShown) pick(at < 0 ? offered.find((item) => !isChosen(item)) : offered[at]);
    } else if (isShown && key === "Escape") setOpen(false);
    else return false;
    return true;
  };
  return (
    <div className="pick">
      <Field name={name} label={label}>
        {(control) => (
          <input
            {...control}
            type="text"
            className="field__input"
            role="combobox"
            aria-expanded={isShown}
            aria-controls={list}
            aria-autocomplete="list"
            aria-activedescendant={isShown && at >= 0 ? `${list}-${at}` : undefined}
            dir="auto"
            autoCapitalize="none"
            autoComplete="off"
            spellcheck={false}
            enterKeyHint="enter"
            value={text}
            onInput={(event) => {
              setText(event.currentTarget.value);
              setOpen(true);
              setAt(-1);
            }}
            onBlur={() => setOpen(false)}
            onKeyDown={(event) => {
              if (event.isComposing || !press(event.key)) return;
              event.preventDefault();
              event.stopPropagation();
            }}
          />
        )}
      </Field>
      <ul id={list} role="listbox" aria-label={label} className="pick__found" hidden={!isShown}>
        {offered.map((item, index) => (
          <li
            key={item.id}
            id={`${list}-${index}`}
            role="option"
            aria-selected={index === at}
            aria-disabled={isChosen(item)}
            className="pick__name"
            // The field keeps the focus, so that the list is still there for the click.
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => pick(item)}
            ref={(row) => {
              if (row && index === at) row.scrollIntoView({ block: "nearest" });
            }}
          >
            <bdi>{item.name}</bdi>
            {isChosen(item) && <Icon glyph={Check} />}
          </li>
        ))}
      </ul>
      <span className={isNothing ? "field__hint" : "unseen"} role="status">
        {isShown && t("search.count", { count: offered.length })}
        {isNothing && t("trash.nothing")}
      </span>
    </div>
  );
}

interface ChosenListProps {
  items: readonly Choice[];
  onRemove(item: Choice): void;
}

/** What was chosen, each with a button that takes it away. */
export function ChosenList({ items, onRemove }: ChosenListProps) {
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <ul className="pick__chosen">
      {items.map((item) => (
        <li key={item.id} className="pick__row">
          <bdi>{item.name}</bdi>
          <IconButton
            label={t("request.giveUp", { name: item.name })}
            glyph={X}
            onClick={() => onRemove(item)}
          />
        </li>
      ))}
    </ul>
  );
}
