import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { Failure } from "../../../shared/result.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { requestFormOf, RequestLimits, requestOf, RequestTexts } from "./RequestFields.tsx";
import { useShareApi } from "./share_api.ts";
import { ShareFields, shareFormOf } from "./ShareFields.tsx";

/** Changes a request for files: the link itself stays. */
export function RequestEditPrompt({ input, onAnswer, onClose }: PromptBodyProps<"requestEdit">) {
  const { request } = input;
  const { t } = useTranslation();
  const api = useShareApi();
  const [form, setForm] = useState(requestFormOf(request));
  const [terms, setTerms] = useState(shareFormOf({
    ...{ preset: "keep", duration: "", unit: "hours", password: "" },
  }));
  const [isOpened, setOpened] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const said = requestOf(form);

  const save = async () => {
    if (!terms.draft || !said) return;
    setBusy(true);
    setFailure(null);
    const { expires, unit, password } = terms.draft;
    const answer = await api.changeRequest(request.hash, {
      ...said,
      ...terms.preset !== "keep" && { expires, unit },
      ...isOpened ? { password: "" } : password !== "" && { password },
    });
    setBusy(false);
    if (answer.ok) onAnswer(answer.value);
    else setFailure(answer);
  };

  return (
    <Prompt
      title={t("request.edit")}
      error={failure ? reasonOf(t, failure) : undefined}
      act={t("buttons.save")}
      busy={busy}
      tall
      incomplete={terms.draft === null || said === null}
      onAct={() => void save()}
      onClose={onClose}
    >
      <div className="links">
        <ShareFields form={terms} onChange={setTerms} edited={{ ...request, isOpened }} />
        {request.hasPassword && (
          <CheckField
            name="share-open"
            label={t("links.removePassword")}
            value={isOpened}
            onChange={setOpened}
          />
        )}
        <RequestTexts form={form} onChange={setForm} />
        <RequestLimits form={form} onChange={setForm} />
      </div>
    </Prompt>
  );
}
