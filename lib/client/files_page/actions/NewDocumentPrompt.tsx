import { useState } from "react";
import { useTranslation } from "react-i18next";
import {
  documentExtension,
  documentFormats,
  type DocumentKind,
  documentKinds,
  documentStem,
} from "../../../shared/document_kinds.ts";
import { nameFault } from "../../base/core/names.ts";
import { FieldPrompt, useNameField } from "../../../../components/FieldPrompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { Formats } from "./Formats.tsx";
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
  const stem = typed ?? titles[kind];
  const bare = documentStem(stem, kind, format);
  const name = `${bare}.${documentExtension(kind, format)}`;
  const fault = bare === "" ? "empty" : nameFault(name);
  const { field, isValid } = useNameField(input, stem, name, setTyped, fault);
  return (
    <FieldPrompt
      title={titles[kind]}
      act={t("buttons.create")}
      field={field}
      incomplete={!isValid}
      onAct={() => {
        rememberDocumentFormat(format);
        onAnswer({ stem, name, kind, format });
      }}
      onClose={onClose}
    >
      <Formats
        name="kind"
        legend={t("office.kind")}
        options={documentKinds}
        chosen={kind}
        onChoose={setKind}
        textOf={(each) => kinds[each]}
        asWords
      />
      <Formats
        name="format"
        legend={t("share.format")}
        options={documentFormats}
        chosen={format}
        onChoose={setFormat}
        textOf={(each) => `${FORMATS[each]} (.${documentExtension(kind, each)})`}
        asWords
      />
    </FieldPrompt>
  );
}
