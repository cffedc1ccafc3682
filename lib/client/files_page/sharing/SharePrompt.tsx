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
import { stayFocused, useForm } from "../../base/ui/use_form.ts";
import { draftOf, linkFaults, LinkFields, linkValues, promptOf } from "./LinkFields.tsx";
import { RequestPrompt } from "./RequestPrompt.tsx";
import { ShareEditPrompt } from "./ShareEditPrompt.tsx";
import { ShareRow } from "./ShareRow.tsx";
import { nonDefaultTerms } from "../../../shared/share_terms.ts";
import { ShareTermsFields, termsFaults, termsOf, termsValues } from "./ShareTermsFields.tsx";
import type { ShareWithToken } from "../../../shared/schemas/share.ts";

const blank = { link: linkValues(), terms: termsValues() };

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
  const { t, i18n: { language } } = useTranslation();
  const toasts = useToasts();
  const api = useShareApi();
  const userId = usePage().data.user?.id;
  const shares = useShares(input.path);
  const { list, failure } = shares;
  const [isCreating, setCreating] = useState(false);
  const [made, setMade] = useState<MadeLink | null>(null);
  const [editing, setEditing] = useState<ShareWithToken | null>(null);
  const [isAsking, setAsking] = useState(false);
  const may = useMay();
  const rootAccess = useRootAccess();
  const title = t("sharing.title", { name: input.name });
  const close = () => shares.hasChanged ? onAnswer(true) : onClose();
  const form = useForm(blank, {
    fields: { invalid_body: "terms.recipients" },
    faults: ({ link, terms }) => ({
      ...linkFaults(t, language, link),
      ...termsFaults(t, language, terms),
    }),
    reason: (why) => why.code === "invalid_body" ? t("links.unknownAudience") : reasonOf(t, why),
    focus: stayFocused,
    async save({ link, terms }, saved) {
      const draft = { ...draftOf(link), ...nonDefaultTerms(termsOf(terms, saved.terms)) };
      const creating = shares.create(draft);
      const isCopied = await copyLink(
        creating.then((answer) => answer.ok ? api.links(answer.value).page : null),
      );
      const answer = await creating;
      if (answer.ok && isCopied) toasts.success(t("toasts.linkCopied"));
      if (answer.ok) setMade({ hash: answer.value.hash, isCopied });
      return answer;
    },
    done() {
      form.reset(blank);
      setCreating(false);
    },
  });
  const error = form.error ?? (failure ? reasonOf(t, failure) : undefined);

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
  if (!isCreating && list?.length !== 0) {
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
              busy={shares.busy}
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
      {...promptOf(form)}
      title={title}
      text={form.values.terms.recipients.length > 0 ? undefined : t("sharing.text")}
      error={error}
      act={t("sharing.create")}
      busy={form.busy || shares.busy}
      more={asking}
      onClose={close}
    >
      <div className="links">
        <LinkFields form={form.part("link")} />
        <details className="fold links__more">
          <summary>{t("links.more")}</summary>
          <ShareTermsFields form={form.part("terms")} isFolder={isFolder} />
        </details>
      </div>
    </Prompt>
  );
}
