import { Plus } from "lucide";
import { useEffect, useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { reasonOf } from "../../base/api/reasons.ts";
import {
  accessFaults,
  accessOf,
  accessReason,
  GeneralAccessField,
  namedIn,
  newAccess,
  PeopleField,
  useMaxLinkRight,
} from "./AccessFields.tsx";
import { copyLink } from "./copy_link.ts";
import { useShareApi } from "./share_api.ts";
import { useShares } from "./use_shares.ts";
import { useToasts } from "../../base/core/use_site.ts";
import { usePage } from "../../base/core/page.ts";
import { Button } from "../../../../components/Button.tsx";
import { Loading } from "../../../../components/Loading.tsx";
import { Prompt } from "../../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../../base/prompts/prompts.ts";
import { stayFocused, useForm } from "../../base/ui/use_form.ts";
import { draftOf, linkFaults, LinkFields, linkValues, promptOf } from "./LinkFields.tsx";
import { ShareEditPrompt } from "./ShareEditPrompt.tsx";
import { ShareRow } from "./ShareRow.tsx";
import { nonDefaultTerms } from "../../../shared/share_terms.ts";
import { ShareTermsFields, termsFaults, termsOf, termsValues } from "./ShareTermsFields.tsx";
import type { ShareWithToken } from "../../../shared/schemas/share.ts";

/** A link that was just made, and whether the browser let it be copied. */
interface MadeLink {
  hash: string;
  isCopied: boolean;
}

/**
 * Shares an entry: first with people and groups, below the links that it has. Without any, or once
 * somebody is named, it is the form of a new one, which makes the link and copies it in one step.
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
  const title = t("sharing.title", { name: input.name });
  const close = () => shares.hasChanged ? onAnswer(true) : onClose();
  const most = useMaxLinkRight();
  const blank = useMemo(() => ({
    access: newAccess(most),
    link: linkValues(),
    terms: termsValues(),
  }), [most]);
  const form = useForm(blank, {
    fields: { invalid_body: "access.recipients" },
    faults: ({ access, link, terms }) => ({
      ...accessFaults(access),
      ...linkFaults(t, language, link),
      ...termsFaults(t, language, terms),
    }),
    reason: (why) => accessReason(t, why),
    focus: stayFocused,
    async save({ access, link, terms }, saved) {
      const given = { ...termsOf(terms), ...accessOf(access, saved.access) };
      const creating = shares.create({ ...draftOf(link), ...nonDefaultTerms(given) });
      const isCopied = await copyLink(
        creating.then((answer) => answer.ok ? api.links(answer.value).page : null),
      );
      const answer = await creating;
      if (answer.ok && isCopied) toasts.success(t("toasts.linkCopied"));
      if (answer.ok) setMade({ hash: answer.value.hash, isCopied });
      return answer;
    },
    done: () => back(),
  });
  const back = () => {
    form.reset(blank);
    form.forgive();
    setCreating(false);
  };
  const { access, terms } = form.values;
  useEffect(() => form.forgive(), [access]);
  const isFirst = list?.length === 0;
  const isBlank = isFirst || isCreating;
  useFocusOn(isBlank && !editing);

  if (list === null) {
    return (
      <Prompt title={title} onClose={close} tall>
        <Loading failure={failure ? reasonOf(t, failure) : undefined} onRetry={shares.load} />
      </Prompt>
    );
  }
  if (editing) {
    return (
      <ShareEditPrompt
        input={{
          share: editing,
          isOwn: editing.userID === userId,
          isFolder: input.isDir ?? false,
        }}
        onAnswer={(share) => {
          shares.replace(share);
          setEditing(null);
        }}
        onClose={() => setEditing(null)}
      />
    );
  }
  const isForm = isBlank || access.recipients.length > 0;
  const people = (
    <PeopleField
      form={form.part("access")}
      isFolder={input.isDir ?? false}
      viewOnly={terms.viewOnly}
    />
  );
  const error = form.error ?? (failure ? reasonOf(t, failure) : undefined);
  return (
    <Prompt
      {...isForm ? promptOf(form) : { tall: true }}
      title={title}
      error={error}
      act={isForm ? t(namedIn(access).length > 0 ? "sharing.share" : "sharing.create") : undefined}
      busy={form.busy || shares.busy}
      onClose={close}
      onBack={isFirst ? undefined : back}
      more={!isForm && (
        <Button
          className="prompt__aside"
          glyph={Plus}
          onClick={() => setCreating(true)}
        >
          {t("sharing.newOne")}
        </Button>
      )}
    >
      <div className="links">
        {people}
        {isForm
          ? (
            <>
              <GeneralAccessField
                form={form.part("access")}
                isFolder={input.isDir ?? false}
                viewOnly={terms.viewOnly}
              />
              <LinkFields form={form.part("link")} first={false} />
              <details className="fold links__more">
                <summary>{t("links.more")}</summary>
                <ShareTermsFields form={form.part("terms")} />
              </details>
            </>
          )
          : (
            <ul className="links__list">
              {list.map((share, index) => (
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
          )}
      </div>
    </Prompt>
  );
}

/**
 * Moves the focus to the field of people of a new form. Not on a phone, whose keyboard would cover
 * the form: to the button that makes the link.
 */
function useFocusOn(isNew: boolean): void {
  useEffect(() => {
    if (!isNew) return;
    const isPhone = matchMedia("(pointer: coarse)").matches;
    document.querySelector<HTMLElement>(
      isPhone ? ".prompt[open] [type=submit]" : "#field-share-audience",
    )?.focus();
  }, [isNew]);
}
