import { useState } from "react";
import { useTranslation } from "react-i18next";
import { usePage } from "../core/page.ts";
import { providerHref } from "../session/session.ts";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompts.ts";
import { Button } from "../../../../components/Button.tsx";
import { TextField } from "../../../../components/Fields.tsx";

/** Asks for confirmation before a deletion. */
export function DeletePrompt({ input, onAnswer, onClose }: PromptBodyProps<"delete">) {
  const { t } = useTranslation();
  const { count, name, mode } = input;
  const isTrash = mode === "trash";
  const hasNone = mode === "noTrash";
  return (
    <Prompt
      title={name === undefined
        ? t("prompts.deleteMany", { count })
        : t("prompts.deleteOne", { name })}
      text={t(
        isTrash ? "prompts.trashText" : hasNone ? "prompts.noTrashText" : "prompts.deleteText",
      )}
      act={t(isTrash ? "buttons.moveToTrash" : "buttons.deleteForGood")}
      danger={!isTrash}
      onAct={() => onAnswer(true)}
      onClose={onClose}
    />
  );
}

/** Asks whether to save unsaved changes; closing it returns to them. */
export function DiscardPrompt({ input, onAnswer, onClose }: PromptBodyProps<"discard">) {
  const { t } = useTranslation();
  return (
    <Prompt
      title={t("prompts.discardTitle", { name: input.name })}
      text={t("prompts.discardText")}
      act={t("buttons.save")}
      onAct={() => onAnswer("save")}
      onClose={onClose}
      more={<Button onClick={() => onAnswer("discard")}>{t("buttons.discard")}</Button>}
    />
  );
}

/** Asks for confirmation before a user or a share is deleted. */
export function ConfirmPrompt({ input, onAnswer, onClose }: PromptBodyProps<"confirm">) {
  const { t } = useTranslation();
  return (
    <Prompt
      title={input.title}
      text={input.text}
      act={input.act ?? t("buttons.delete")}
      danger
      onAct={() => onAnswer(true)}
      onClose={onClose}
    />
  );
}

/** Asks for the user's own password before rights change: a borrowed session must not do that. */
export function PasswordPrompt({ input, onAnswer, onClose }: PromptBodyProps<"password">) {
  const { t } = useTranslation();
  const { BaseURL, Provider } = usePage().data.config;
  const [typed, setTyped] = useState("");
  return (
    <Prompt
      title={t("prompts.passwordTitle")}
      text={Provider?.Mine
        ? t("external.confirmText", { name: Provider.Name })
        : t("prompts.passwordText")}
      act={t("buttons.goOn")}
      incomplete={typed === "" && !Provider?.Mine}
      onAct={() => onAnswer(typed)}
      onClose={onClose}
      more={Provider?.Mine && (
        <a
          className="button"
          href={providerHref(BaseURL, `${BaseURL}/files/`, true)}
          target="_blank"
          rel="noopener"
        >
          {t("external.signIn", { name: Provider.Name })}
        </a>
      )}
    >
      <TextField
        name="current-password"
        type="password"
        label={t("prompts.currentPassword")}
        complaint={typed === "" ? input.complaint : undefined}
        autoComplete="current-password"
        autofocus
        value={typed}
        onChange={setTyped}
      />
    </Prompt>
  );
}
