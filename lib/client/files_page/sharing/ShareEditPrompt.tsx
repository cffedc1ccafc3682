import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { stayFocused, useForm } from "../../base/ui/use_form.ts";
import {
  accessOf,
  accessReason,
  accessValues,
  GeneralAccessField,
  PeopleField,
} from "./AccessFields.tsx";
import { LinkLine } from "./LinkLine.tsx";
import { useShareApi } from "./share_api.ts";
import { linkChange, linkFaults, LinkFields, linkValues, promptOf } from "./LinkFields.tsx";
import { ShareTermsFields, termsFaults, termsOf, termsValues } from "./ShareTermsFields.tsx";

/** Changes a share: the link itself stays. */
export function ShareEditPrompt({ input, onAnswer, onClose }: PromptBodyProps<"shareEdit">) {
  const { share, isOwn, isFolder } = input;
  const { t, i18n: { language } } = useTranslation();
  const api = useShareApi();
  const form = useForm({
    path: share.path,
    access: accessValues(share),
    link: linkValues("keep"),
    terms: termsValues(share),
  }, {
    fields: { exists: "terms.name", invalid_body: "access.recipients" },
    faults: ({ path, link, terms }) => ({
      ...path.trim() === "" && { path: "" },
      ...linkFaults(t, language, link),
      ...termsFaults(t, language, terms),
    }),
    reason: (why) => why.code === "exists" ? t("links.nameTaken") : accessReason(t, why),
    focus: stayFocused,
    save: ({ path, access, link, terms }, saved) =>
      api.change(share.hash, {
        ...path !== share.path && { path },
        ...linkChange(link),
        ...termsOf(terms),
        ...accessOf(access, saved.access),
      }),
    done: onAnswer,
  });
  const { access, terms } = form.values;
  useEffect(() => form.forgive(), [access, terms]);
  const part = form.part("access");

  return (
    <Prompt
      {...promptOf(form)}
      title={t("links.title")}
      act={t("buttons.save")}
      onClose={onClose}
    >
      <LinkLine link={api.links(share).page} />
      <div className="links">
        <PeopleField form={part} isFolder={isFolder} viewOnly={terms.viewOnly} />
        <GeneralAccessField form={part} isFolder={isFolder} viewOnly={terms.viewOnly} />
        <LinkFields form={form.part("link")} edited={share} />
        <ShareTermsFields form={form.part("terms")} />
        {isOwn && (
          <TextField {...form.field("path", "share-path")} label={t("links.path")} verbatim />
        )}
      </div>
    </Prompt>
  );
}
