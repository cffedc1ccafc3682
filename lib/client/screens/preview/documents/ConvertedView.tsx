import { FileX } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { parsePath } from "../../../../shared/path.ts";
import { usePage } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { DownloadLink, Paper, type ReaderProps } from "../Content.tsx";

type Reason = "officeMissing" | "officeBusy" | "officeRefused" | "officeFailed";

type Shown = { is: "converting" } | { is: "paper" } | { is: "nothing"; why: Reason };

/** An Office document as the PDF that the server makes of it. */
export function Reader({ entry }: ReaderProps) {
  const { t } = useTranslation();
  const api = useApi();
  const { config, user } = usePage().data;
  const [shown, setShown] = useState<Shown>({ is: "converting" });
  const [tries, setTries] = useState(0);
  const { path } = parsePath(entry.path);
  const k = `${Date.parse(entry.modified)}-${entry.size}`;
  const addressFor = (query: { optional?: true }) =>
    api.addressOf("GET /api/preview/{size}/{path}", {
      params: { size: "pdf", path },
      query: { k, ...query },
    });
  const address = addressFor({});
  useEffect(() => {
    if (!config.EnablePapers) return setShown({ is: "nothing", why: "officeMissing" });
    const leaving = new AbortController();
    const convert = async (): Promise<Shown> => {
      const call = { method: "GET", anonymous: true, signal: leaving.signal } as const;
      const answer = await api.calls.request(
        api.calls.pathOf(addressFor({ optional: true })),
        call,
      );
      // The viewer reads it by its address.
      if (answer.ok) await answer.value.body?.cancel();
      if (answer.ok && answer.value.status === 200) return { is: "paper" };
      if (answer.ok) return { is: "nothing", why: "officeFailed" };
      const why = answer.status === 403 ? "officeRefused" : "officeBusy";
      return { is: "nothing", why };
    };
    setShown({ is: "converting" });
    void convert().then((made) => leaving.signal.aborted || setShown(made));
    // The server stops what nobody waits for.
    return () => leaving.abort();
  }, [address, tries]);

  switch (shown.is) {
    case "converting":
      return (
        <>
          <FileSkeleton isText />
          <p className="pdf__converting" role="status">{t("reader.converting")}</p>
        </>
      );
    case "paper": {
      const otherwise = <DownloadLink path={path} />;
      return <Paper name={entry.name} address={address} isWhole otherwise={otherwise} />;
    }
    case "nothing": {
      const isMissing = shown.why === "officeMissing";
      const text = isMissing && user?.perm.admin ? "officeInstall" : shown.why;
      return (
        <StatusScreen
          glyph={FileX}
          title={displayName(entry.name)}
          text={t(`reader.${text}`)}
        >
          {shown.why === "officeBusy" && (
            <Button onClick={() => setTries(tries + 1)}>{t("buttons.retry")}</Button>
          )}
          {shown.why !== "officeRefused" && <DownloadLink path={path} />}
        </StatusScreen>
      );
    }
  }
}
