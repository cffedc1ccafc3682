import { Plus } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { RequestInfo } from "../../../shared/api_types.ts";
import type { EntryPath } from "../../../shared/path.ts";
import type { Failure } from "../../../shared/result.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useToasts } from "../../base/core/use_site.ts";
import { copyLink } from "./copy_link.ts";
import { RequestEditPrompt } from "./RequestEditPrompt.tsx";
import { requestFormOf, RequestLimits, requestOf, RequestTexts } from "./RequestFields.tsx";
import { RequestRow } from "./RequestRow.tsx";
import { useShareApi } from "./share_api.ts";
import { ShareFields, shareFormOf } from "./ShareFields.tsx";

interface RequestPromptProps {
  input: { path: EntryPath; name: string };
  onClose: () => void;
}

/** Shows the requests for files into a folder; without any it opens the form for a new one. */
export function RequestPrompt({ input, onClose }: RequestPromptProps) {
  const { t } = useTranslation();
  const api = useShareApi();
  const toasts = useToasts();
  const [list, setList] = useState<RequestInfo[] | null>(null);
  const [failure, setFailure] = useState<Failure | null>(null);
  const [busy, setBusy] = useState(false);
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<RequestInfo | null>(null);
  const [form, setForm] = useState(requestFormOf());
  const [terms, setTerms] = useState(shareFormOf());
  useEffect(() => {
    void api.requestsOf(input.path).then((answer) => {
      if (answer.ok) setList(answer.value);
      else setFailure(answer);
    });
  }, [input.path]);

  const said = requestOf(form);
  const error = failure ? reasonOf(t, failure) : undefined;
  const title = t("request.askTitle", { name: input.name });

  const create = async () => {
    if (!said || !terms.draft) return;
    setBusy(true);
    setFailure(null);
    const making = api.request(input.path, { ...terms.draft, ...said });
    const isCopied = await copyLink(
      making.then((answer) => answer.ok ? api.requestLink(answer.value.hash) : null),
    );
    const answer = await making;
    setBusy(false);
    if (!answer.ok) return setFailure(answer);
    if (isCopied) toasts.success(t("toasts.linkCopied"));
    setList((before) => [answer.value, ...before ?? []]);
    setForm(requestFormOf());
    setTerms(shareFormOf());
    setCreating(false);
  };
  const end = async (hash: string) => {
    setFailure(null);
    const answer = await api.endRequest(hash);
    if (!answer.ok && answer.status !== 404) return setFailure(answer);
    setList((before) => before?.filter((each) => each.hash !== hash) ?? null);
  };
  const replace = (changed: RequestInfo) => {
    setList((before) => before?.map((each) => each.hash === changed.hash ? changed : each) ?? null);
    setEditing(null);
  };

  if (editing) {
    return (
      <RequestEditPrompt
        input={{ request: editing }}
        onAnswer={replace}
        onClose={() => setEditing(null)}
      />
    );
  }
  if (isCreating || list?.length === 0) {
    return (
      <Prompt
        title={title}
        text={t("request.askText")}
        error={error}
        act={t("request.create")}
        busy={busy}
        tall
        incomplete={terms.draft === null || said === null}
        onAct={() => void create()}
        onClose={onClose}
      >
        <div className="links">
          <ShareFields form={terms} onChange={setTerms} />
          <RequestTexts form={form} onChange={setForm} />
          <details className="fold links__more">
            <summary>{t("links.more")}</summary>
            <RequestLimits form={form} onChange={setForm} />
          </details>
        </div>
      </Prompt>
    );
  }
  return (
    <Prompt
      title={title}
      error={error}
      onClose={onClose}
      tall
      more={
        <Button className="prompt__aside" glyph={Plus} onClick={() => setCreating(true)}>
          {t("request.newOne")}
        </Button>
      }
    >
      <ul className="links" aria-busy={list === null}>
        {list?.map((request, index) => (
          <RequestRow
            key={request.hash}
            request={request}
            isFirst={index === 0}
            onEdit={() => setEditing(request)}
            onEnd={() => void end(request.hash)}
          />
        ))}
      </ul>
    </Prompt>
  );
}
