import { useState } from "react";
import { Prompt } from "./Prompt.tsx";
import type { PromptBodyProps } from "./prompt_bodies.ts";
import { TextField } from "./TextField.tsx";
import { cleanName, nameFault } from "../lib/client/names.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

/** Asks under which name a text is saved beside the file that it came from. */
export function SaveAsPrompt({ asks, onAnswer, onClose }: PromptBodyProps<"saveAs">) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(asks.name);
  const name = cleanName(typed);
  const fault = nameFault(name);
  return (
    <Prompt
      title={t("prompts.saveAsTitle")}
      text={t("prompts.saveAsText")}
      act={t("buttons.save")}
      incomplete={fault !== null}
      onAct={() => onAnswer(name)}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t("prompts.name")}
        value={typed}
        complaint={fault === null || fault === "empty" ? undefined : t(`names.${fault}`)}
        onInput={(event) => setTyped(event.currentTarget.value)}
        verbatim
        autofocus
      />
    </Prompt>
  );
}
