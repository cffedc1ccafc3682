import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { CheckField, FormError, NumberField } from "../../../../../components/Fields.tsx";
import type { Settings } from "../../../../shared/schemas/settings.ts";
import { settingBounds } from "../../../../shared/schemas/choices/setting_bounds.ts";
import type { ContentIndexState } from "../../../../shared/schemas/contents.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatBytes } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";
import type { Fields } from "../../../base/ui/use_form.ts";

/** The interval at which the state of the index is asked for, in milliseconds. */
const EVERY_MS = 2_000;

interface ContentsFieldsProps {
  form: Fields<Settings["contents"]>;
  /** Whether it is on by what was saved last. */
  isOn: boolean;
}

/** Whether contents can be searched, the limits of their index, and how far that is. */
export function ContentsFields({ form, isOn }: ContentsFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="checks">
        <CheckField
          {...form.field("enabled", "contentsEnabled")}
          label={t("contents.enabled")}
          hint={t("contents.enabledHint")}
        />
      </div>
      {form.values.enabled && (
        <div className="fields">
          <NumberField
            {...form.field("largestText", "contentsText")}
            {...settingBounds.contents.largestText}
            label={t("contents.largestText")}
          />
          <NumberField
            {...form.field("largestIndex", "contentsIndex")}
            {...settingBounds.contents.largestIndex}
            label={t("contents.largestIndex")}
          />
        </div>
      )}
      {isOn && <IndexState />}
    </>
  );
}

/** How far the index is, and the button that has it rebuilt. */
function IndexState() {
  const { t, i18n: { language } } = useTranslation();
  const account = useAccount();
  const [index, setIndex] = useState<ContentIndexState | null>(null);
  const [complaint, setComplaint] = useState("");
  const [busy, setBusy] = useState(false);

  useEffect(() => {
    const leaving = new AbortController();
    const ask = async () => {
      const answer = await account.contentIndex(leaving.signal);
      if (leaving.signal.aborted) return;
      setComplaint(answer.ok ? "" : reasonOf(t, answer));
      if (answer.ok) setIndex(answer.value);
    };
    void ask();
    const timer = setInterval(() => void ask(), EVERY_MS);
    return () => {
      clearInterval(timer);
      leaving.abort();
    };
  }, []);

  const rebuild = async () => {
    setBusy(true);
    const answer = await account.rebuildContentIndex();
    setBusy(false);
    setComplaint(answer.ok ? "" : reasonOf(t, answer));
    if (answer.ok && index) setIndex({ ...index, state: "waiting" });
  };

  return (
    <section className="used" aria-labelledby="contents-index">
      <h3 className="field__label" id="contents-index">{t("contents.index")}</h3>
      <FormError text={complaint} />
      {index && (
        <>
          <p role="status">{t(`contents.state.${index.state}`)}</p>
          <p className="field__hint">
            {t("contents.size", {
              amount: index.files,
              seen: index.seen,
              size: formatBytes(index.bytes, language),
            })}
          </p>
        </>
      )}
      <div className="used__rest">
        <Button aria-busy={busy} onClick={() => busy || void rebuild()}>
          {t("contents.rebuild")}
        </Button>
      </div>
    </section>
  );
}
