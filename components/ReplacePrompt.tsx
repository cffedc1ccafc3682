import { useTranslation } from "../lib/i18n/use_translation.ts";
import { Button } from "./Button.tsx";
import { Prompt } from "./Prompt.tsx";
import type { PromptBodyProps } from "./prompt_bodies.ts";

/** How many names are listed; the others are counted. */
const LISTED = 6;

/** Asks what becomes of entries whose names are taken where they are going. */
export function ReplacePrompt({ asks, onAnswer, onClose }: PromptBodyProps<"replace">) {
  const { t } = useTranslation();
  const { names, mayReplace } = asks;
  const [first = ""] = names;
  const hidden = names.length - LISTED;
  return (
    <Prompt
      title={names.length === 1
        ? t("prompts.replaceOne", { name: first })
        : t("prompts.replaceMany", { count: names.length })}
      text={t(mayReplace ? "prompts.replaceText" : "prompts.skipText")}
      act={t(mayReplace ? "buttons.replace" : "buttons.skip")}
      danger={mayReplace}
      onAct={() => onAnswer(mayReplace ? "replace" : "skip")}
      onClose={onClose}
      more={mayReplace && <Button onClick={() => onAnswer("skip")}>{t("buttons.skip")}</Button>}
    >
      {names.length > 1 && (
        <ul className="prompt__names">
          {names.slice(0, LISTED).map((name) => (
            <li className="prompt__name" key={name} dir="auto">{name}</li>
          ))}
          {hidden > 0 && <li className="prompt__more">{t("prompts.more", { count: hidden })}</li>}
        </ul>
      )}
    </Prompt>
  );
}
