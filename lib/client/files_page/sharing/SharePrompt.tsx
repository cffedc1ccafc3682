import { Inbox, Plus } from "lucide";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf } from "../../base/api/reasons.ts";
import { copyLink } from "./copy_link.ts";
import { useShareApi } from "./share_api.ts";
import { useShares } from "./use_shares.ts";
import { useMay, useToasts } from "../../base/core/use_site.ts";
import { usePage } from "../../base/core/page.ts";
import { useRootAccess } from "../../base/core/root_access.ts";
import { Button } from "../../../../components/Button.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { ShareFields, type ShareForm, shareFormOf } from "./ShareFields.tsx";
import { RequestPrompt } from "./RequestPrompt.tsx";
import { ShareEditPrompt } from "./ShareEditPrompt.tsx";
import { ShareRow } from "./ShareRow.tsx";
import { nonDefaultTerms } from "../../../shared/share_terms.ts";
import { TermsFields, type TermsForm, termsFormOf } from "./TermsFields.tsx";
import type { ShareWithToken } from "../../../shared/api_types.ts";

/** A link that was just made, and whether the browser let it be copied. */
interface MadeLink {
  hash: string;
  isCopied: boolean;
}

/**
 * Shows the links to an entry; without any it opens the form for a new one at once, which makes the
 * link and copies it in one step.
 */
export function SharePrompt({ input, onAnswer, onClose }: PromptBodyProps<"share">) {
  const { t } = useTranslation();
  const toasts = useToasts();
  const api = useShareApi();
  const userId = usePage().data.user?.id;
  const shares = useShares(input.path);
  const { list, failure, busy } = shares;
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<MadeLink | null>(null);
  const [form, setForm] = useState<ShareForm>(shareFormOf());
  const [terms, setTermsForm] = useState<TermsForm>(termsFormOf());
  const [editing, setEditing] = useState<ShareWithToken | null>(null);
  const [isAsking, setAsking] = useState(false);
  const may = useMay();
  const rootAccess = useRootAccess();
  const creates = isCreating || list?.length === 0;
  const title = t("sharing.title", { name: input.name });
  const isUnknown = creates && failure?.code === "invalid_body";
  const error = failure && !isUnknown ? reasonOf(t, failure) : undefined;
  const close = () => shares.hasChanged ? onAnswer(true) : onClose();

  const create = async () => {
    if (!form.draft || !terms.value) return;
    const creating = shares.create({ ...form.draft, ...nonDefaultTerms(terms.value) });
    const isCopied = await copyLink(creating.then((share) => share && api.links(share).page));
    const share = await creating;
    if (!share) return;
    if (isCopied) toasts.success(t("toasts.linkCopied"));
    setMade({ hash: share.hash, isCopied });
    setForm(shareFormOf());
    setTermsForm(termsFormOf());
    setCreating(false);
  };

  const isFolder = input.isDir ?? false;
  const asking = isFolder && may("create") && rootAccess.canAddTo(input.path) && (
    <Button
      className="prompt__aside"
      glyph={Inbox}
      onClick={() => setAsking(true)}
    >
      {t("request.ask")}
    </Button>
  );

  if (isAsking) return <RequestPrompt input={input} onClose={close} />;
  if (editing) {
    return (
      <ShareEditPrompt
        input={{ share: editing, isOwn: editing.userID === userId, isFolder }}
        onAnswer={(share) => {
          shares.replace(share);
          setEditing(null);
        }}
        onClose={() => setEditing(null)}
      />
    );
  }
  if (!creates) {
    return (
      <Prompt
        title={title}
        error={error}
        onClose={close}
        tall
        more={
          <>
            <Button className="prompt__aside" glyph={Plus} onClick={() => setCreating(true)}>
              {t("sharing.newOne")}
            </Button>
            {asking}
          </>
        }
      >
        <ul className="links" aria-busy={list === null}>
          {list?.map((share, index) => (
            <ShareRow
              key={share.hash}
              share={share}
              name={input.name}
              isFirst={index === 0}
              made={made?.hash === share.hash ? made : undefined}
              busy={busy}
              onEdit={() => setEditing(share)}
              onEnd={() => void shares.end(share.hash)}
            />
          ))}
        </ul>
      </Prompt>
    );
  }
  return (
    <Prompt
      title={title}
      text={terms.recipients.length > 0 ? undefined : t("sharing.text")}
      error={error}
      act={t("sharing.create")}
      busy={busy}
      tall
      more={asking}
      incomplete={form.draft === null || terms.value === null}
      onAct={() => void create()}
      onClose={close}
    >
      <div className="links">
        <ShareFields form={form} onChange={setForm} />
        <details className="fold links__more">
          <summary>{t("links.more")}</summary>
          <TermsFields
            form={terms}
            isFolder={isFolder}
            onChange={setTermsForm}
            audienceComplaint={isUnknown ? t("links.unknownAudience") : undefined}
          />
        </details>
      </div>
    </Prompt>
  );
}
