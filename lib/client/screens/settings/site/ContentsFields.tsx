import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { CheckField, FormError, NumberField } from "../../../../../components/Fields.tsx";
import type { Settings } from "../../../../shared/api_types.ts";
import type { ContentIndexState } from "../../../../shared/schemas/contents.ts";
import { reasonOf } from "../../../base/api/reasons.ts";
import { formatBytes } from "../../../base/core/format.ts";
import { useAccount } from "../account_api.ts";

const MEBIBYTE = 2 ** 20;

/** The interval at which the state of the index is asked for, in milliseconds. */
const EVERY_MS = 2_000;

interface ContentsFieldsProps {
  value: Settings["contents"];
  /** Whether it is on by what was saved last. */
  isOn: boolean;
  onChange: (change: Partial<Settings["contents"]>) => void;
}

/** Whether contents can be searched, the limits of their index, and how far that is. */
export function ContentsFields({ value, isOn, onChange }: ContentsFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <div className="checks">
        <CheckField
          name="contentsEnabled"
          label={t("contents.enabled")}
          hint={t("contents.enabledHint")}
          checked={value.enabled}
          onChange={(enabled) => onChange({ enabled })}
        />
      </div>
      {value.enabled && (
        <div className="fields">
          <NumberField
            name="contentsText"
            label={t("contents.largestText")}
            min={1}
            max={64}
            value={Math.round(value.largestText / MEBIBYTE)}
            onChange={(size) => onChange({ largestText: Math.round(size) * MEBIBYTE })}
          />
          <NumberField
            name="contentsIndex"
            label={t("contents.largestIndex")}
            min={16}
            max={1_048_576}
            value={Math.round(value.largestIndex / MEBIBYTE)}
            onChange={(size) => onChange({ largestIndex: Math.round(size) * MEBIBYTE })}
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
