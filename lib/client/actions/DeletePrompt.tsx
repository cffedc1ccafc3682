import { useTranslation } from "../core/use_translation.ts";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../prompts/prompt_bodies.ts";

/** Asks before something is deleted. */
export function DeletePrompt({ asks, onAnswer, onClose }: PromptBodyProps<"delete">) {
  const { t } = useTranslation();
  const { count, name } = asks;
  return (
    <Prompt
      title={name === undefined
        ? t("prompts.deleteMany", { count })
        : t("prompts.deleteOne", { name })}
      text={t("prompts.deleteText")}
      act={t("buttons.delete")}
      danger
      onAct={() => onAnswer(true)}
      onClose={onClose}
    />
  );
}
