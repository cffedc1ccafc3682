import { useTranslation } from "../lib/i18n/use_translation.ts";
import { Prompt } from "./Prompt.tsx";

interface DeletePromptProps {
  count: number;
  /** The name, when one entry is meant. */
  name?: string;
  onAnswer: () => void;
  onClose: () => void;
}

/** Asks before something is deleted. */
export function DeletePrompt({ count, name, onAnswer, onClose }: DeletePromptProps) {
  const { t } = useTranslation();
  return (
    <Prompt
      title={name === undefined
        ? t("prompts.deleteMany", { count })
        : t("prompts.deleteOne", { name })}
      text={t("prompts.deleteText")}
      act={t("buttons.delete")}
      danger
      onAct={onAnswer}
      onClose={onClose}
    />
  );
}
