import { useState } from "react";
import { useTranslation } from "react-i18next";
import { FieldPrompt, useNameField } from "../../../../components/FieldPrompt.tsx";
import { stemLength } from "../../../shared/numbered_name.ts";
import { maxVisitorName } from "../../../shared/visitor_name.ts";
import { cleanName } from "../core/names.ts";
import type { NameQuestion, PromptBodyProps } from "./prompts.ts";

interface NamePromptProps extends Omit<PromptBodyProps<"newDir" | "newFile">, "input"> {
  input: NameQuestion;
  title: string;
  text?: string;
  act: string;
}

/** Asks for the name of an entry. */
function NamePrompt({ input, onAnswer, ...prompt }: NamePromptProps) {
  const [typed, setTyped] = useState(input.initial);
  const name = cleanName(typed);
  const { field, isValid } = useNameField(input, typed, name, setTyped);
  return (
    <FieldPrompt
      {...prompt}
      field={field}
      replaceable={stemLength(input.initial, input.isDir)}
      incomplete={!isValid || name === (input.former ?? input.initial)}
      onAct={() => onAnswer(name)}
    />
  );
}

/** Asks for the name of a new folder. */
export function NewFolderPrompt(props: PromptBodyProps<"newDir">) {
  const { t } = useTranslation();
  return <NamePrompt {...props} title={t("prompts.newDirTitle")} act={t("buttons.create")} />;
}

/** Asks for the name of a new file. */
export function NewFilePrompt(props: PromptBodyProps<"newFile">) {
  const { t } = useTranslation();
  return <NamePrompt {...props} title={t("prompts.newFileTitle")} act={t("buttons.create")} />;
}

/** Asks for a new name of an entry. */
export function RenamePrompt(props: PromptBodyProps<"rename">) {
  const { t } = useTranslation();
  const name = props.input.former ?? props.input.initial;
  return (
    <NamePrompt
      {...props}
      title={t("prompts.renameTitle", { name })}
      act={t("buttons.rename")}
    />
  );
}

/** Asks for the name of a copy of a text, in the folder of the original or replacing it. */
export function SaveAsPrompt({ input, ...rest }: PromptBodyProps<"saveAs">) {
  const { t } = useTranslation();
  return (
    <NamePrompt
      {...rest}
      // The server checks for a conflict: the name may be free again.
      input={{ initial: input.name, former: "", isDir: false, taken: () => false }}
      title={t("prompts.saveAsTitle")}
      text={t("prompts.saveAsText")}
      act={t("buttons.save")}
    />
  );
}

/** Asks for another name of something that is no entry, such as a passkey. */
export function RelabelPrompt(
  { input: { title, label, former, longest }, onAnswer, onClose }: PromptBodyProps<"relabel">,
) {
  const { t } = useTranslation();
  const [value, onChange] = useState(former);
  const name = value.trim();
  return (
    <FieldPrompt
      title={title}
      act={t("buttons.rename")}
      field={{ name: "label", label, maxLength: longest, autoComplete: "off", value, onChange }}
      incomplete={name === "" || name === former}
      onAct={() => onAnswer(name)}
      onClose={onClose}
    />
  );
}

/** Asks a visitor for a name, which may be left out. */
export function VisitorNamePrompt(
  { input: { text }, onAnswer, onClose }: PromptBodyProps<"visitorName">,
) {
  const { t } = useTranslation();
  const [value, onChange] = useState("");
  return (
    <FieldPrompt
      title={t("share.nameTitle")}
      text={text}
      act={t("buttons.goOn")}
      field={{
        ...{ name: "visitor-name", label: t("share.yourName"), value, onChange },
        ...{ maxLength: maxVisitorName, autoComplete: "nickname" },
      }}
      onAct={() => onAnswer(value)}
      onClose={onClose}
    />
  );
}
