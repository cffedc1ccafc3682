import { Plus } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { Loading } from "../../../../components/Loading.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { RequestInfo } from "../../../shared/schemas/request.ts";
import { success } from "../../../shared/result.ts";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { useToasts } from "../../base/core/use_site.ts";
import { stayFocused, useForm } from "../../base/ui/use_form.ts";
import { copyLink } from "./copy_link.ts";
import { RequestEditPrompt } from "./RequestEditPrompt.tsx";
import {
  requestFaults,
  RequestLimits,
  requestOf,
  RequestTexts,
  requestValues,
} from "./RequestFields.tsx";
import { RequestRow } from "./RequestRow.tsx";
import { useShareApi } from "./share_api.ts";
import { draftOf, linkFaults, LinkFields, linkValues, promptOf } from "./LinkFields.tsx";

const blank = { link: linkValues(), request: requestValues() };

/** Shows the requests for files into a folder; without any it opens the form for a new one. */
export function RequestPrompt({ input, onClose }: PromptBodyProps<"request">) {
  const { t, i18n: { language } } = useTranslation();
  const api = useShareApi();
  const toasts = useToasts();
  const [list, setList] = useState<RequestInfo[] | null>(null);
  const [isCreating, setCreating] = useState(false);
  const [editing, setEditing] = useState<RequestInfo | null>(null);
  const form = useForm(blank, {
    faults: ({ link, request }) => ({
      ...linkFaults(t, language, link),
      ...requestFaults(t, request),
    }),
    focus: stayFocused,
    async save({ link, request }) {
      const making = api.request(input.path, { ...draftOf(link), ...requestOf(request) });
      const isCopied = await copyLink(
        making.then((answer) => answer.ok ? api.requestLink(answer.value.hash) : null),
      );
      const answer = await making;
      if (answer.ok && isCopied) toasts.success(t("toasts.linkCopied"));
      return answer;
    },
    done(made) {
      setList((before) => [made, ...before ?? []]);
      form.reset(blank);
      setCreating(false);
    },
  });
  const load = async () => {
    const answer = await form.send(() => api.requestsOf(input.path));
    if (answer.ok) setList(answer.value);
  };
  useEffect(() => void load(), [input.path]);
  const title = t("request.askTitle", { name: input.name });

  const end = async (hash: string) => {
    const { ok } = await form.send(async () => {
      const answer = await api.endRequest(hash);
      return !answer.ok && answer.status === 404 ? success(undefined) : answer;
    });
    if (!ok) return;
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
        {...promptOf(form)}
        title={title}
        text={t("request.askText")}
        act={t("request.create")}
        onClose={onClose}
      >
        <div className="links">
          <LinkFields form={form.part("link")} />
          <RequestTexts form={form.part("request")} />
          <details className="fold links__more">
            <summary>{t("links.more")}</summary>
            <RequestLimits form={form.part("request")} />
          </details>
        </div>
      </Prompt>
    );
  }
  if (list === null) {
    return (
      <Prompt title={title} onClose={onClose} tall>
        <Loading failure={form.error} onRetry={load} />
      </Prompt>
    );
  }
  return (
    <Prompt
      title={title}
      error={form.error}
      onClose={onClose}
      tall
      more={
        <Button className="prompt__aside" glyph={Plus} onClick={() => setCreating(true)}>
          {t("request.newOne")}
        </Button>
      }
    >
      <ul className="links">
        {list.map((request, index) => (
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
