import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import type { Choice, Conflict, EntryFacts, PromptBodyProps } from "../../base/prompts/prompts.ts";
import { canReplace, merges } from "./conflicts.ts";
import { formatBytes, formatExact } from "../../base/core/format.ts";
import { findIdentical } from "./same_content.ts";
import { useApi, useMay } from "../../base/core/use_site.ts";
import { Button } from "../../../../components/Button.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";

/** The number of conflicts listed one by one; the rest follow the choice for all. */
const LISTED = 100;

/** Asks how to resolve the name conflicts at a destination. */
export function ReplacePrompt(props: PromptBodyProps<"replace">) {
  const [only, ...others] = props.input.conflicts;
  if (only && others.length === 0) return <OneConflict {...props} conflict={only} />;
  return <ManyConflicts {...props} />;
}

/** As with many, Enter keeps both. */
function OneConflict(
  { input, conflict, onAnswer, onClose }: PromptBodyProps<"replace"> & { conflict: Conflict },
) {
  const { t } = useTranslation();
  const replaceable = input.mayReplace && canReplace(conflict);
  const merging = merges(conflict);
  const answer = (choice: Choice) => onAnswer(new Map([[conflict.name, choice]]));
  return (
    <Prompt
      title={t("prompts.replaceOne", { name: conflict.name })}
      text={!input.mayReplace
        ? t("prompts.skipText")
        : replaceable
        ? t(merging ? "prompts.replaceFolderText" : "prompts.replaceText")
        : undefined}
      act={t("choices.keep")}
      onAct={() => answer("keep")}
      onClose={onClose}
      ready
      more={
        <>
          {input.others && <Button onClick={() => answer("skip")}>{t("choices.skip")}</Button>}
          {replaceable && (
            <Button onClick={() => answer("replace")}>
              {t(merging ? "choices.merge" : "choices.replace")}
            </Button>
          )}
        </>
      }
    >
      <ConflictDetails conflict={conflict} />
    </Prompt>
  );
}

function ManyConflicts({ input, onAnswer, onClose }: PromptBodyProps<"replace">) {
  const { t } = useTranslation();
  const { conflicts, mayReplace } = input;
  const same = useIdentical(conflicts);
  const [chosen, setForAll] = useState<Choice | null>(null);
  const forAll = chosen ?? (same.size === conflicts.length ? "skip" : "keep");
  const [each, setEach] = useState<ReadonlyMap<string, Choice>>(new Map());
  const offered = (conflict: Conflict): Choice[] =>
    mayReplace && canReplace(conflict) ? ["replace", "keep", "skip"] : ["keep", "skip"];
  const choiceOf = (conflict: Conflict): Choice => {
    const chosen = each.get(conflict.name) ?? forAll;
    return offered(conflict).includes(chosen) ? chosen : "keep";
  };
  const hidden = conflicts.length - LISTED;
  const identical = conflicts.filter((one) => same.has(one.name) && choiceOf(one) !== "skip");
  const skipIdentical = () =>
    setEach(new Map([...each, ...identical.map(({ name }) => [name, "skip"] as const)]));

  return (
    <Prompt
      title={t("prompts.replaceMany", { count: conflicts.length })}
      text={mayReplace ? undefined : t("prompts.skipText")}
      act={t("buttons.goOn")}
      onAct={() => onAnswer(new Map(conflicts.map((one) => [one.name, choiceOf(one)])))}
      onClose={onClose}
      ready
      tall
      more={identical.length > 0 && (
        <Button className="prompt__aside" onClick={skipIdentical}>
          {t("choices.skipIdentical", { amount: identical.length })}
        </Button>
      )}
    >
      <div className="conflicts" tabIndex={-1}>
        <div className="conflict conflicts__all">
          <label htmlFor="conflicts-all">{t("prompts.forAll")}</label>
          <ChoiceField
            id="conflicts-all"
            choices={mayReplace ? ["replace", "keep", "skip"] : ["keep", "skip"]}
            value={[...each.values()].some((choice) => choice !== forAll) ? undefined : forAll}
            onChoose={(choice) => {
              setForAll(choice);
              setEach(new Map());
            }}
          />
        </div>
        <ul>
          {conflicts.slice(0, LISTED).map((conflict) => (
            <li className="conflict" key={conflict.name}>
              <span className="conflict__words">
                <span className="conflict__name" dir="auto" title={conflict.name}>
                  {conflict.name}
                </span>
                <ConflictDetails conflict={conflict} />
              </span>
              <ChoiceField
                label={t("prompts.choiceFor", { name: conflict.name })}
                choices={offered(conflict)}
                merging={merges(conflict)}
                value={choiceOf(conflict)}
                onChoose={(choice) =>
                  setEach(new Map(each).set(conflict.name, choice))}
              />
            </li>
          ))}
          {hidden > 0 && <li className="prompt__more">{t("prompts.more", { count: hidden })}</li>}
        </ul>
      </div>
    </Prompt>
  );
}

/** The names of the conflicts between files of the same content, as they are found. */
function useIdentical(conflicts: readonly Conflict[]): ReadonlySet<string> {
  const api = useApi();
  const mayRead = useMay()("download");
  const [same, setSame] = useState<ReadonlySet<string>>(new Set());
  useEffect(() => {
    const closing = new AbortController();
    const add = (name: string) => setSame((known) => new Set(known).add(name));
    const some = mayRead ? conflicts : conflicts.map((one) => ({ ...one, contents: undefined }));
    void findIdentical(api, some, add, closing.signal);
    return () => closing.abort();
  }, []);
  return same;
}

interface ChoiceFieldProps {
  id?: string;
  label?: string;
  choices: Choice[];
  /** Undefined if the choices differ. */
  value: Choice | undefined;
  /** For a folder the choice is called "merge". */
  merging?: boolean;
  onChoose: (choice: Choice) => void;
}

function ChoiceField(
  { id, label, choices, value, merging, onChoose }: ChoiceFieldProps,
) {
  const { t } = useTranslation();
  return (
    <select
      id={id}
      className="field__input choice"
      aria-label={label}
      value={value ?? ""}
      onChange={(event) => onChoose(event.currentTarget.value as Choice)}
    >
      {value === undefined && <option value="" hidden>…</option>}
      {choices.map((choice) => {
        const word = merging && choice === "replace" ? "merge" : choice;
        return <option key={choice} value={choice}>{t(`choices.${word}`)}</option>;
      })}
    </select>
  );
}

/** The size and the date of both entries, as far as known. */
function ConflictDetails({ conflict: { coming, there } }: { conflict: Conflict }) {
  const { t, i18n: { language } } = useTranslation();
  const told = ({ isDir, size, modified }: EntryFacts) => {
    const when = formatExact(modified, language);
    if (isDir) return when ? t("prompts.factsFolder", { modified: when }) : t("files.folder");
    return t("prompts.factsFile", { size: formatBytes(size, language), modified: when });
  };
  if (!coming && !there) return null;
  return (
    <span className="conflict__facts">
      {there && <span>{t("prompts.there", { facts: told(there) })}</span>}
      {coming && <span>{t("prompts.coming", { facts: told(coming) })}</span>}
    </span>
  );
}
