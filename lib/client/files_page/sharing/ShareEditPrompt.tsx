import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import { reasonOf } from "../../base/api/reasons.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { stayFocused, useForm } from "../../base/ui/use_form.ts";
import { useShareApi } from "./share_api.ts";
import { linkChange, linkFaults, LinkFields, linkValues, promptOf } from "./LinkFields.tsx";
import { ShareTermsFields, termsFaults, termsOf, termsValues } from "./ShareTermsFields.tsx";

/** Changes a share: the link itself stays. */
export function ShareEditPrompt({ input, onAnswer, onClose }: PromptBodyProps<"shareEdit">) {
  const { share, isOwn, isFolder } = input;
  const { t, i18n: { language } } = useTranslation();
  const api = useShareApi();
  const initial = { path: share.path, link: linkValues("keep"), terms: termsValues(share) };
  const form = useForm(initial, {
    fields: { exists: "terms.name", invalid_body: "terms.recipients" },
    faults: ({ path, link, terms }) => ({
      ...path.trim() === "" && { path: "" },
      ...linkFaults(t, language, link),
      ...termsFaults(t, language, terms),
    }),
    reason: (why) =>
      why.code === "exists"
        ? t("links.nameTaken")
        : why.code === "invalid_body"
        ? t("links.unknownAudience")
        : reasonOf(t, why),
    focus: stayFocused,
    save: ({ path, link, terms }, saved) =>
      api.change(share.hash, {
        ...path !== share.path && { path },
        ...linkChange(link),
        ...termsOf(terms, saved.terms),
      }),
    done: onAnswer,
  });
  const { terms } = form.values;
  useEffect(() => form.forgive(), [terms]);

  return (
    <Prompt
      {...promptOf(form)}
      title={t("links.title")}
      act={t("buttons.save")}
      onClose={onClose}
    >
      <div className="links">
        {isOwn && (
          <TextField {...form.field("path", "share-path")} label={t("links.path")} verbatim />
        )}
        <LinkFields form={form.part("link")} edited={share} />
        <ShareTermsFields form={form.part("terms")} isFolder={isFolder} />
      </div>
    </Prompt>
  );
}
