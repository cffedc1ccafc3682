import { Plus } from "lucide";
import { useState } from "react";
import { reasonOf } from "../api/reasons.ts";
import { useShares } from "./use_shares.ts";
import { useTranslation } from "../core/use_translation.ts";
import { Button } from "../../../components/Button.tsx";
import { Prompt } from "../../../components/Prompt.tsx";
import type { PromptBodyProps } from "../prompts/prompt_bodies.ts";
import { ShareFields, type ShareForm, shareFormOf } from "./ShareFields.tsx";
import { ShareRow } from "./ShareRow.tsx";

/** Shows the links to an entry; without any it opens the form for a new one at once. */
export function SharePrompt({ input, onClose }: PromptBodyProps<"share">) {
  const { t } = useTranslation();
  const shares = useShares(input.path);
  const { list, failure, busy } = shares;
  const [isCreating, setCreating] = useState(false);
  const [form, setForm] = useState<ShareForm>(shareFormOf());
  const creates = isCreating || list?.length === 0;
  const title = t("sharing.title", { name: input.name });
  const error = failure ? reasonOf(t, failure) : undefined;

  if (!creates) {
    return (
      <Prompt
        title={title}
        error={error}
        onClose={onClose}
        tall
        more={
          <Button className="prompt__aside" glyph={Plus} onClick={() => setCreating(true)}>
            {t("sharing.newOne")}
          </Button>
        }
      >
        <ul className="links" aria-busy={list === null}>
          {list?.map((share) => (
            <ShareRow
              key={share.hash}
              share={share}
              busy={busy}
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
      error={error}
      act={t("sharing.create")}
      busy={busy}
      incomplete={form.draft === null}
      onAct={async () => {
        if (!form.draft || !await shares.create(form.draft)) return;
        setForm(shareFormOf());
        setCreating(false);
      }}
      onClose={onClose}
    >
      <ShareFields form={form} onChange={setForm} />
    </Prompt>
  );
}
