import { useTranslation } from "../core/use_translation.ts";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompt_bodies.ts";

/** Asks before something goes that is no entry: a user, a share. */
export function SurePrompt({ asks, onAnswer, onClose }: PromptBodyProps<"sure">) {
  const { t } = useTranslation();
  return (
    <Prompt
      title={asks.title}
      text={asks.text}
      act={t("buttons.delete")}
      danger
      onAct={() => onAnswer(true)}
      onClose={onClose}
    />
  );
}
