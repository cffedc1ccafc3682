import { Check, type IconNode, Plus, X } from "lucide";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { Field } from "../../../../../components/Fields.tsx";
import { Icon } from "../../../../../components/Icon.tsx";
import type { Result } from "../../../../shared/result.ts";

/** Debounce of the lookup, in milliseconds. */
const TYPING_MS = 200;

/** A user or a group to choose. Names are unique. */
export interface Choice {
  name: string;
}

interface PickFieldProps<Item extends Choice> {
  /** Prefix of the ids, unique on the page. */
  name: string;
  label: string;
  hint?: string;
  complaint?: string;
  /** Looks up the names that contain a text. */
  find(text: string, signal: AbortSignal): Promise<Result<readonly Item[]>>;
  /** Whether an item is chosen already: it is shown as such, and can't be picked. */
  isChosen(item: Item): boolean;
  onPick(item: Item): void;
  /** The text, where it counts for the form before a name is picked; with `onType`. */
  typed?: string;
  onType?(text: string): void;
  /** Takes a name that was typed whole. Without it, only names that were found can be picked. */
  onTake?(text: string): void;
  /** What stands before a name that was found. */
  glyphOf?(item: Item): IconNode;
  placeholder?: string;
  /** The chosen ones, in the box before the text. */
  chips?: ReactNode;
  /** Backspace was pressed before the first character: the last of the chips is to go. */
  onBack?(): void;
}

/**
 * A text field that offers the names it finds: the editable combobox of the ARIA Authoring Practices
 * Guide. The arrow keys choose an offered name, Enter takes it or the first, Escape closes the list,
 * and keys that move the caret leave it.
 */
export function PickField<Item extends Choice>(props: PickFieldProps<Item>) {
  const { name, label, hint, complaint, find, isChosen, onPick, onTake } = props;
  const { glyphOf, placeholder, chips, onBack } = props;
  const { t } = useTranslation();
  const [own, setOwn] = useState("");
  const { typed: text = own, onType = setOwn } = props;
  const [found, setFound] = useState<{ of: string; items: readonly Item[] } | null>(null);
  const [isOpen, setOpen] = useState(false);
  const [at, setAt] = useState(-1);
  const input = useRef<HTMLInputElement>(null);
  const wanted = text.trim();
  useEffect(() => {
    // The former list stays until there is an answer, so that it does not flicker.
    if (wanted === "") return setFound(null);
    if (!isOpen) return;
    const stopping = new AbortController();
    const timer = setTimeout(async () => {
      const answer = await find(wanted, stopping.signal);
      if (!answer.ok || stopping.signal.aborted) return;
      setFound({ of: wanted, items: answer.value });
      setAt(-1);
    }, TYPING_MS);
    return () => {
      clearTimeout(timer);
      stopping.abort();
    };
  }, [wanted]);

  const offered = found?.items ?? [];
  const last = offered.length - 1;
  const isShown = isOpen && wanted !== "" && last >= 0;
  const isNothing = isOpen && wanted !== "" && found !== null && last < 0 && !onTake;
  const list = `${name}-found`;
  const close = () => {
    setOpen(false);
    setAt(-1);
  };
  const done = () => {
    onType("");
    close();
    input.current?.focus();
  };
  const pick = (item: Item | undefined) => {
    if (!item || isChosen(item)) return;
    done();
    onPick(item);
  };
  const take = () => {
    done();
    onTake?.(text);
  };
  const enter = (): boolean => {
    if (onTake && wanted === "") return false;
    if (isShown && at >= 0) pick(offered[at]);
    else if (isShown && found?.of === wanted) {
      pick(offered.find((item) => item.name === wanted) ?? offered.find((item) => !isChosen(item)));
    } else if (onTake) take();
    return true;
  };
  /** Whether the key is the list's alone. */
  const press = ({ key, repeat }: KeyboardEvent): boolean => {
    if (key === "Enter") return enter();
    if ((key === "ArrowDown" || key === "ArrowUp") && wanted !== "" && last >= 0) {
      setOpen(true);
      setAt(key === "ArrowDown" ? (at >= last ? 0 : at + 1) : at <= 0 ? last : at - 1);
      return true;
    }
    if (key === "Escape" && isShown) {
      close();
      return true;
    }
    if (key === "Backspace" && text === "" && onBack) {
      // A key that is held to empty the text stops there.
      if (!repeat) onBack();
      return true;
    }
    if (/^(?:Home|End|ArrowLeft|ArrowRight)$/.test(key)) setAt(-1);
    return false;
  };
  return (
    <div className="pick">
      <Field name={name} label={label} hint={hint} complaint={complaint}>
        {(control) => (
          <div
            className={chips ? "pick__box field__input" : "pick__box"}
            onClick={({ target, currentTarget }) => {
              if (target === currentTarget) input.current?.focus();
            }}
          >
            {chips}
            <input
              {...control}
              ref={input}
              type="text"
              className={chips ? "pick__input" : "field__input"}
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
              placeholder={placeholder}
              value={text}
              onInput={(event) => {
                setAt(-1);
                setOpen(true);
                onType(event.currentTarget.value);
              }}
              onBlur={close}
              onKeyDown={(event) => {
                if (event.isComposing || !press(event)) return;
                event.preventDefault();
                event.stopPropagation();
              }}
            />
            {onTake && wanted !== "" && (
              <span className="field__end">
                <IconButton
                  label={t("links.addName", { name: wanted })}
                  glyph={Plus}
                  onClick={take}
                />
              </span>
            )}
          </div>
        )}
      </Field>
      <ul
        id={list}
        role="listbox"
        aria-label={t("links.namesFound")}
        className="pick__found"
        hidden={!isShown}
      >
        {offered.map((item, index) => (
          <li
            key={item.name}
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
            {glyphOf && <Icon glyph={glyphOf(item)} />}
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

interface ChosenListProps<Item extends Choice> {
  /** The name of the field, which takes the focus when the last row is removed. */
  field: string;
  items: readonly Item[];
  onRemove(item: Item): void;
  /** Further controls of a row, before the button. */
  children?(item: Item): ReactNode;
}

/** The chosen names, each with a button that removes it. */
export function ChosenList<Item extends Choice>(props: ChosenListProps<Item>) {
  const { field, items, onRemove, children } = props;
  const { t } = useTranslation();
  if (items.length === 0) return null;
  return (
    <ul className="pick__chosen">
      {items.map((item) => (
        <li key={item.name} className="pick__row">
          <bdi>{item.name}</bdi>
          {children?.(item)}
          <IconButton
            label={t("request.giveUp", { name: item.name })}
            glyph={X}
            onClick={({ currentTarget }) => {
              const row = currentTarget.closest("li");
              const near = row?.nextElementSibling ?? row?.previousElementSibling;
              const next = near?.querySelector("button") ??
                document.getElementById(`field-${field}`);
              next?.focus();
              onRemove(item);
            }}
          />
        </li>
      ))}
    </ul>
  );
}
