import { useState } from "react";
import { useTranslation } from "../core/use_translation.ts";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompt_bodies.ts";
import { TextField } from "../../../components/TextField.tsx";

/** Asks who gives or takes rights for the own password: a borrowed session must not do that. */
export function PasswordPrompt({ asks, onAnswer, onClose }: PromptBodyProps<"password">) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  return (
    <Prompt
      title={t("prompts.passwordTitle")}
      text={t("prompts.passwordText")}
      act={t("buttons.goOn")}
      incomplete={typed === ""}
      onAct={() => onAnswer(typed)}
      onClose={onClose}
    >
      <TextField
        name="current-password"
        type="password"
        label={t("prompts.currentPassword")}
        complaint={typed === "" ? asks.complaint : undefined}
        autoComplete="current-password"
        autofocus
        value={typed}
        onInput={(event) => setTyped(event.currentTarget.value)}
      />
    </Prompt>
  );
}
