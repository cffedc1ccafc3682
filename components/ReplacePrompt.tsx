import type { ReplaceAnswer } from "../lib/client/prompts.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";
import { Button } from "./Button.tsx";
import { Prompt } from "./Prompt.tsx";

/** How many names are listed; the others are counted. */
const LISTED = 6;

interface ReplacePromptProps {
  /** The names that are taken. */
  names: string[];
  /** Whether the user may replace at all. */
  mayReplace: boolean;
  onAnswer: (answer: ReplaceAnswer) => void;
  onClose: () => void;
}

/** Asks what becomes of entries whose names are taken where they are going. */
export function ReplacePrompt({ names, mayReplace, onAnswer, onClose }: ReplacePromptProps) {
  const { t } = useTranslation();
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
