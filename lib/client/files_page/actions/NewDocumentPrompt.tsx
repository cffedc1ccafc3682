import { useLayoutEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import {
  documentExtension,
  documentFormats,
  type DocumentKind,
  documentKinds,
} from "../../../shared/document_kinds.ts";
import { cleanName, nameFault } from "../../base/core/names.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { lastDocumentFormat, rememberDocumentFormat } from "./last_choices.ts";

/** The names of the formats, which are the same in all languages. */
const FORMATS = { ooxml: "Microsoft Office", odf: "OpenDocument" };

/** Asks for the name, the kind and the format of a new document; the last format is chosen at first. */
export function NewDocumentPrompt({ input, onAnswer, onClose }: PromptBodyProps<"newDocument">) {
  const { t } = useTranslation();
  const titles: Record<DocumentKind, string> = {
    document: t("commands.newDocument"),
    sheet: t("commands.newSheet"),
    slides: t("commands.newSlides"),
  };
  const kinds: Record<DocumentKind, string> = {
    document: t("office.kinds.document"),
    sheet: t("office.kinds.sheet"),
    slides: t("office.kinds.slides"),
  };
  const [kind, setKind] = useState(input.kind);
  const [format, setFormat] = useState(lastDocumentFormat);
  const [typed, setTyped] = useState<string | null>(input.initial ?? null);
  const field = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => field.current?.select(), []);
  const stem = typed ?? titles[kind];
  const name = cleanName(`${stem}.${documentExtension(kind, format)}`);
  const fault = stem.trim() === "" ? "empty" : nameFault(name);
  const complaint = typed === input.initial && input.complaint
    ? input.complaint
    : fault
    ? stem === "" ? undefined : t(`names.${fault}`)
    : input.taken(name)
    ? t("prompts.taken", { name })
    : undefined;
  return (
    <Prompt
      title={titles[kind]}
      act={t("buttons.create")}
      incomplete={fault !== null || complaint !== undefined}
      onAct={() => {
        rememberDocumentFormat(format);
        onAnswer({ stem, name, kind, format });
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t("prompts.name")}
        value={stem}
        complaint={complaint}
        inputRef={field}
        onChange={setTyped}
        verbatim
      />
      <fieldset className="formats formats--words">
        <legend className="prompt__text">{t("office.kind")}</legend>
        {documentKinds.map((each) => (
          <label className="format" key={each}>
            <input
              type="radio"
              name="kind"
              checked={each === kind}
              onChange={() => setKind(each)}
            />
            {kinds[each]}
          </label>
        ))}
      </fieldset>
      <fieldset className="formats formats--words">
        <legend className="prompt__text">{t("share.format")}</legend>
        {documentFormats.map((each) => (
          <label className="format" key={each}>
            <input
              type="radio"
              name="format"
              checked={each === format}
              onChange={() => setFormat(each)}
            />
            {`${FORMATS[each]} (.${documentExtension(kind, each)})`}
          </label>
        ))}
      </fieldset>
    </Prompt>
  );
}
