import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { cleanName, nameFault } from "../core/names.ts";
import type { NameQuestion } from "./prompts.ts";
import { stemLength } from "../../../shared/numbered_name.ts";
import { maxVisitorName } from "../../../shared/visitor_name.ts";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "./prompts.ts";
import { TextField } from "../../../../components/Fields.tsx";

interface NamePromptProps extends Omit<PromptBodyProps<"newDir" | "newFile">, "input"> {
  input: NameQuestion;
  title: string;
  text?: string;
  act: string;
}

/** Asks for a name and validates it while typing. The replaceable part is selected. */
function NamePrompt({ input, title, text, act, onAnswer, onClose }: NamePromptProps) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState(input.initial);
  const field = useRef<HTMLInputElement>(null);
  const name = cleanName(typed);
  const fault = nameFault(name);
  const isUntouched = typed === input.initial;
  const unchanged = name === (input.former ?? input.initial);

  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(0, stemLength(input.initial, input.isDir));
  }, []);

  const complaint = isUntouched && input.complaint ? input.complaint : complaintOf();
  return (
    <Prompt
      title={title}
      text={text}
      act={act}
      incomplete={fault !== null || complaint !== undefined || unchanged}
      onAct={() => onAnswer(name)}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t("prompts.name")}
        value={typed}
        complaint={complaint}
        inputRef={field}
        onChange={setTyped}
        verbatim
      />
    </Prompt>
  );

  function complaintOf(): string | undefined {
    if (fault === "empty" && typed === "") return undefined;
    if (fault) return t(`names.${fault}`);
    return input.taken(name) ? t("prompts.taken", { name }) : undefined;
  }
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
  const [typed, setTyped] = useState(former);
  const field = useRef<HTMLInputElement>(null);
  const name = typed.trim();
  useLayoutEffect(() => field.current?.select(), []);
  return (
    <Prompt
      title={title}
      act={t("buttons.rename")}
      incomplete={name === "" || name === former}
      onAct={() => onAnswer(name)}
      onClose={onClose}
    >
      <TextField
        name="label"
        label={label}
        value={typed}
        maxLength={longest}
        autoComplete="off"
        inputRef={field}
        onChange={setTyped}
      />
    </Prompt>
  );
}

/** Asks a visitor for a name, which may be left out. */
export function VisitorNamePrompt(
  { input: { text }, onAnswer, onClose }: PromptBodyProps<"visitorName">,
) {
  const { t } = useTranslation();
  const [typed, setTyped] = useState("");
  return (
    <Prompt
      title={t("share.nameTitle")}
      text={text}
      act={t("buttons.goOn")}
      onAct={() => onAnswer(typed)}
      onClose={onClose}
    >
      <TextField
        name="visitor-name"
        label={t("share.yourName")}
        value={typed}
        maxLength={maxVisitorName}
        autoComplete="nickname"
        autofocus
        onChange={setTyped}
      />
    </Prompt>
  );
}
