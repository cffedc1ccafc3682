import { useState } from "react";
import { useTranslation } from "react-i18next";
import { CheckField, TextField } from "../../../../components/Fields.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import { reasonOf } from "../../base/api/reasons.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import type { Failure } from "../../../shared/result.ts";
import { useShareApi } from "./share_api.ts";
import { ShareFields, shareFormOf } from "./ShareFields.tsx";
import { TermsFields, termsFormOf } from "./TermsFields.tsx";

/** Changes a share: the link itself stays. */
export function ShareEditPrompt({ input, onAnswer, onClose }: PromptBodyProps<"shareEdit">) {
  const { share, isOwn, isFolder } = input;
  const { t } = useTranslation();
  const api = useShareApi();
  const [path, setPath] = useState(share.path);
  const [form, setForm] = useState(shareFormOf({
    ...{ preset: "keep", duration: "", unit: "hours", password: "" },
  }));
  const [isOpened, setOpened] = useState(false);
  const [terms, setTerms] = useState(termsFormOf(share));
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<Failure | null>(null);
  const isTaken = failure?.code === "exists";
  const isUnknown = failure?.code === "invalid_body";

  const save = async () => {
    if (!form.draft || !terms.value) return;
    setBusy(true);
    setFailure(null);
    const { expires, unit, password } = form.draft;
    const answer = await api.change(share.hash, {
      ...path !== share.path && { path },
      ...form.preset !== "keep" && { expires, unit },
      ...isOpened ? { password: "" } : password !== "" && { password },
      ...terms.value,
    });
    setBusy(false);
    if (answer.ok) onAnswer(answer.value);
    else setFailure(answer);
  };

  return (
    <Prompt
      title={t("links.title")}
      error={failure && !isTaken && !isUnknown ? reasonOf(t, failure) : undefined}
      act={t("buttons.save")}
      busy={busy}
      tall
      incomplete={form.draft === null || terms.value === null || path.trim() === ""}
      onAct={() => void save()}
      onClose={onClose}
    >
      <div className="links">
        {isOwn && (
          <TextField
            name="share-path"
            label={t("links.path")}
            verbatim
            value={path}
            onChange={setPath}
          />
        )}
        <ShareFields form={form} onChange={setForm} edited={{ ...share, isOpened }} />
        {share.hasPassword && (
          <CheckField
            name="share-open"
            label={t("links.removePassword")}
            value={isOpened}
            onChange={setOpened}
          />
        )}
        <TermsFields
          form={terms}
          isFolder={isFolder}
          onChange={(changed) => {
            setFailure(null);
            setTerms(changed);
          }}
          nameComplaint={isTaken ? t("links.nameTaken") : undefined}
          audienceComplaint={isUnknown ? t("links.unknownAudience") : undefined}
        />
      </div>
    </Prompt>
  );
}
