import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompt_bodies.ts";

/** Asks what becomes of unsaved changes; closing it stays with them. */
export function DiscardPrompt({ asks, onAnswer, onClose }: PromptBodyProps<"discard">) {
  const { t } = useTranslation();
  return (
    <Prompt
      title={t("prompts.discardTitle", { name: asks.name })}
      text={t("prompts.discardText")}
      act={t("buttons.save")}
      onAct={() => onAnswer("save")}
      onClose={onClose}
      more={<Button onClick={() => onAnswer("discard")}>{t("buttons.discard")}</Button>}
    />
  );
}
