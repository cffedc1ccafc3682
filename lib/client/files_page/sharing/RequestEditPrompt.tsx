import { useTranslation } from "react-i18next";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { stayFocused, useForm } from "../../base/ui/use_form.ts";
import {
  requestFaults,
  RequestLimits,
  requestOf,
  RequestTexts,
  requestValues,
} from "./RequestFields.tsx";
import { useShareApi } from "./share_api.ts";
import { linkChange, linkFaults, LinkFields, linkValues, promptOf } from "./LinkFields.tsx";

/** Changes a request for files: the link itself stays. */
export function RequestEditPrompt({ input, onAnswer, onClose }: PromptBodyProps<"requestEdit">) {
  const { request: former } = input;
  const { t, i18n: { language } } = useTranslation();
  const api = useShareApi();
  const form = useForm({ link: linkValues("keep"), request: requestValues(former) }, {
    faults: ({ link, request }) => ({
      ...linkFaults(t, language, link),
      ...requestFaults(t, request),
    }),
    focus: stayFocused,
    save: ({ link, request }) =>
      api.changeRequest(former.hash, { ...requestOf(request), ...linkChange(link) }),
    done: onAnswer,
  });

  return (
    <Prompt
      {...promptOf(form)}
      title={t("request.edit")}
      act={t("buttons.save")}
      onClose={onClose}
    >
      <div className="links">
        <LinkFields form={form.part("link")} edited={former} />
        <RequestTexts form={form.part("request")} />
        <RequestLimits form={form.part("request")} />
      </div>
    </Prompt>
  );
}
