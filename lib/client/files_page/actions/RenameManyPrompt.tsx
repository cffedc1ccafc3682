import { useMemo, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { nameOf } from "../../../shared/path.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { SelectField, TextField } from "../../../../components/Fields.tsx";
import { Button } from "../../../../components/Button.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import { faultsOf, letterCases, newNames, type RenameRules } from "./rename_rules.ts";

/** The number of names that are shown before they are given. */
const SHOWN = 100;

/** The most digits of a number. */
const MAX_DIGITS = 9;

const parts = ["name", "number", "date"] as const;

const unchanged: RenameRules = {
  pattern: "{name}",
  find: "",
  replacement: "",
  letters: "keep",
  first: "1",
};

/** Asks how several entries are to be called, and shows what comes of it. */
export function RenameManyPrompt({ input, onAnswer, onClose }: PromptBodyProps<"renameMany">) {
  const { t } = useTranslation();
  const { entries, isTaken } = input;
  const [rules, setRules] = useState(unchanged);
  const set = (change: Partial<RenameRules>) => setRules((now) => ({ ...now, ...change }));
  const field = (name: Exclude<keyof RenameRules, "letters">) => ({
    ...{ name, value: rules[name], verbatim: true },
    onChange: (text: string) => set({ [name]: text }),
  });
  const pattern = useRef<HTMLInputElement>(null);
  const names = useMemo(() => newNames(entries, rules), [entries, rules]);
  const faults = useMemo(() => faultsOf(entries, names, isTaken), [entries, names]);
  const isChanged = entries.some(({ path }, index) => nameOf(path) !== names[index]);
  // What is wrong comes first, as it may be far down.
  const order = [...entries.keys()].sort((a, b) => Number(!faults[a]) - Number(!faults[b]));
  const hidden = entries.length - SHOWN;

  function complaintOf(index: number): string | null {
    const fault = faults[index] ?? null;
    if (fault === null) return null;
    if (fault === "taken") return t("prompts.taken", { name: names[index] });
    return fault === "twice" ? t("prompts.twice") : t(`names.${fault}`);
  }

  /** Puts a part where the caret is. */
  function insert(part: string): void {
    const { selectionStart, selectionEnd } = pattern.current ?? {};
    const at = selectionStart ?? rules.pattern.length;
    const before = rules.pattern.slice(0, at) + `{${part}}`;
    set({ pattern: before + rules.pattern.slice(selectionEnd ?? at) });
    requestAnimationFrame(() => {
      pattern.current?.focus();
      pattern.current?.setSelectionRange(before.length, before.length);
    });
  }

  return (
    <Prompt
      title={t("prompts.renameManyTitle")}
      act={t("buttons.rename")}
      incomplete={!isChanged || faults.some((fault) => fault !== null)}
      onAct={() => onAnswer(names)}
      onClose={onClose}
      tall
    >
      <div className="renaming">
        <div>
          <TextField
            {...field("pattern")}
            label={t("prompts.pattern")}
            inputRef={pattern}
            autofocus
          />
          <div className="renaming__parts">
            {parts.map((part) => (
              <Button key={part} onClick={() => insert(part)}>{t(`prompts.parts.${part}`)}</Button>
            ))}
          </div>
        </div>
        <div className="renaming__row">
          <TextField {...field("find")} label={t("editor.find")} />
          <TextField {...field("replacement")} label={t("editor.replaceBy")} />
        </div>
        <div className="renaming__row">
          <SelectField
            name="letters"
            label={t("prompts.letters")}
            value={rules.letters}
            options={letterCases.map((each) => [each, t(`prompts.lettersOf.${each}`)] as const)}
            onChange={(letters) => set({ letters })}
          />
          <TextField
            {...field("first")}
            label={t("prompts.firstNumber")}
            inputMode="numeric"
            onChange={(first) => set({ first: first.replace(/\D/g, "").slice(0, MAX_DIGITS) })}
          />
        </div>
        <ul className="renaming__names" aria-label={t("prompts.newNames")}>
          {order.slice(0, SHOWN).map((index) => {
            const { path } = entries[index]!;
            const complaint = complaintOf(index);
            return (
              <li key={path}>
                <del dir="auto">{nameOf(path)}</del>
                <ins dir="auto">{names[index]}</ins>
                {complaint && <span className="field__complaint">{complaint}</span>}
              </li>
            );
          })}
          {hidden > 0 && <li className="prompt__more">{t("prompts.more", { count: hidden })}</li>}
        </ul>
      </div>
    </Prompt>
  );
}
