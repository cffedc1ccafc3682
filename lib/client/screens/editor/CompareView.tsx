import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { FormError } from "../../../../components/Fields.tsx";
import { Spinner } from "../../../../components/Icon.tsx";
import type { EntryPath } from "../../../shared/path.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { useApi } from "../../base/core/use_site.ts";
import { readTextPair, type TextPair } from "./text_version.ts";
import { languageOf } from "./text_tools.ts";
import { VersionsView } from "./versions_view.ts";

/** Narrower windows have no room for two columns. */
const NARROW = "(width <= 46em)";

interface CompareViewProps {
  file: EntryPath;
  name: string;
  /** The id of the previous version in the trash. */
  id: string;
  /** The name of the previous version. */
  former: string;
}

/** A previous version of a text beside the file as it is now; on a phone as a unified diff. */
export function CompareView({ file, name, id, former }: CompareViewProps) {
  const { t } = useTranslation();
  const api = useApi();
  const area = useRef<HTMLDivElement>(null);
  const [pair, setPair] = useState<TextPair | null>(null);
  const [complaint, setComplaint] = useState("");

  useEffect(() => {
    const leaving = new AbortController();
    void readTextPair(api, file, id, leaving.signal).then((answer) => {
      if (answer.ok) setPair(answer.value);
      else if (answer.code !== "aborted") setComplaint(reasonOf(t, answer));
    });
    return () => leaving.abort();
  }, [file, id]);

  const isSame = pair?.former.eq(pair.now) ?? false;
  useEffect(() => {
    const parent = area.current;
    if (!parent || !pair || isSame) return;
    let view: VersionsView | null = null;
    let closed = false;
    const show = async () => {
      const language = await languageOf(name).catch(() => null);
      const opened = await VersionsView.open({
        parent,
        mine: pair.now,
        theirs: pair.former,
        names: { mine: t("info.current"), theirs: former },
        isReadOnly: true,
        isNarrow: matchMedia(NARROW).matches,
        language,
        t,
      });
      if (closed) opened.close();
      else view = opened;
    };
    void show();
    return () => {
      closed = true;
      view?.close();
    };
  }, [pair]);

  if (complaint) return <FormError text={complaint} />;
  if (!pair) return <Spinner label={t("files.loading")} />;
  if (isSame) return <p role="status">{t("info.same")}</p>;
  return (
    <div className="compare">
      <div className="versions__names" aria-hidden="true">
        <span>{former}</span>
        <span>{t("info.current")}</span>
      </div>
      <div className="versions__area" ref={area} dir="ltr" />
    </div>
  );
}
