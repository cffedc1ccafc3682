import { useState } from "react";
import { Prompt } from "./Prompt.tsx";
import type { PromptBodyProps } from "./prompt_bodies.ts";
import { TextField } from "./TextField.tsx";
import { cleanName, nameFault } from "../lib/client/names.ts";
import { useTranslation } from "../lib/i18n/use_translation.ts";

/** Asks for the name of a new folder, and says at once what is wrong with it. */
export function NewFolderPrompt({ asks, onAnswer, onClose }: PromptBodyProps<"newDir">) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  const name = cleanName(typed);
  const fault = nameFault(name);
  const complaint = fault === "empty"
    ? undefined
    : fault
    ? t(`names.${fault}`)
    : asks.taken(name)
    ? t("prompts.taken", { name })
    : undefined;

  return (
    <Prompt
      title={t("prompts.newDirTitle")}
      act={t("buttons.create")}
      incomplete={fault === "empty" || complaint !== undefined}
      onAct={() => onAnswer(name)}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t("prompts.newDirName")}
        value={typed}
        complaint={complaint}
        onInput={(event) => setTyped(event.currentTarget.value)}
        autoComplete="off"
        autoCapitalize="off"
        spellcheck={false}
        autofocus
      />
    </Prompt>
  );
}
