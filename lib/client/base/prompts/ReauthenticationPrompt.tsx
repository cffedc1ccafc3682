import { useRef } from "react";
import { useTranslation } from "react-i18next";
import { CodeField } from "../session/CodeField.tsx";
import { TextField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompts.ts";

/** Asks for the password and a code of the second factor, before a factor changes. */
export function ReauthenticationPrompt(
  { input, onAnswer, onClose }: PromptBodyProps<"reauthentication">,
) {
  const { t } = useTranslation();
  const fields = useRef<HTMLDivElement>(null);
  const typed = (name: string) =>
    fields.current?.querySelector<HTMLInputElement>(`[name=${name}]`)?.value ?? "";
  return (
    <Prompt
      title={input.title}
      text={input.text}
      act={input.act}
      error={input.complaint}
      onAct={() => onAnswer({ current_password: typed("proof"), code: typed("code") })}
      onClose={onClose}
    >
      <div className="proof" ref={fields}>
        <TextField
          name="proof"
          type="password"
          label={t("prompts.currentPassword")}
          autoComplete="current-password"
          required
          autofocus
        />
        <CodeField
          methods={input.methods}
          focused={false}
          onPasskey={(passkey) => onAnswer({ current_password: typed("proof"), passkey })}
        />
      </div>
    </Prompt>
  );
}
