import { FileX } from "lucide";
import { type ReactNode, useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { Spinner } from "../../../../../components/Icon.tsx";
import { ErrorScreen, StatusScreen } from "../../../../../components/StatusScreen.tsx";
import { displayName } from "../../../../shared/entry_names.ts";
import { LARGEST_CONVERTED } from "../../../../shared/file_kinds.ts";
import { parsePath } from "../../../../shared/path.ts";
import { previewKey } from "../../../../shared/picture_forms.ts";
import { formatBytes } from "../../../base/core/format.ts";
import { usePage } from "../../../base/core/page.ts";
import { useApi } from "../../../base/core/use_site.ts";
import { FileSkeleton } from "../../../files_page/listing/Skeletons.tsx";
import { DownloadLink, Paper, type ReaderProps } from "../Content.tsx";

type Reason =
  | "reader.officeMissing"
  | "reader.officeInstall"
  | "reader.officeBusy"
  | "reader.officeRefused"
  | "reader.officeUnconverted"
  | "reader.officeLimits"
  | "reader.tooLarge"
  | "share.empty";

type Shown =
  | { is: "converting" }
  | { is: "paper" }
  | { is: "nothing"; why: Reason }
  | { is: "failed"; status: number };

/** An Office document as the PDF that the server makes of it. */
export function Reader({ entry }: ReaderProps) {
  const { t, i18n: { language } } = useTranslation();
  const api = useApi();
  const { config, user } = usePage().data;
  const [last, setShown] = useState<Shown>({ is: "converting" });
  const [tries, setTries] = useState(0);
  const { path } = parsePath(entry.path);
  const name = displayName(entry.name);
  const addressFor = (query: { optional?: true }) =>
    api.addressOf("GET /api/preview/{size}/{path}", {
      params: { size: "pdf", path },
      query: { k: previewKey(entry), ...query },
    });
  const address = addressFor({});
  const isAdmin = user?.perm.admin === true;
  /** The reason that is known without a call. */
  const known = ((): Reason | null => {
    if (!config.EnablePapers) return isAdmin ? "reader.officeInstall" : "reader.officeMissing";
    if (entry.size === 0) return "share.empty";
    return entry.size > LARGEST_CONVERTED ? "reader.tooLarge" : null;
  })();
  useEffect(() => {
    if (known) return;
    const leaving = new AbortController();
    const convert = async (): Promise<Shown> => {
      const call = { method: "GET", anonymous: true, signal: leaving.signal } as const;
      const answer = await api.calls.request(
        api.calls.pathOf(addressFor({ optional: true })),
        call,
      );
      if (!answer.ok) {
        const { status, code } = answer;
        if (status === 403) return { is: "nothing", why: "reader.officeRefused" };
        const isBusy = code === "throttled" || code === "busy";
        return isBusy ? { is: "nothing", why: "reader.officeBusy" } : { is: "failed", status };
      }
      // The viewer reads it by its address.
      await answer.value.body?.cancel();
      const { status, headers } = answer.value;
      if (status === 200) return { is: "paper" };
      const isTooMuch = headers.get("preview-refusal") === "limits";
      return { is: "nothing", why: isTooMuch ? "reader.officeLimits" : "reader.officeUnconverted" };
    };
    setShown({ is: "converting" });
    void convert().then((made) => leaving.signal.aborted || setShown(made));
    // The server stops what nobody waits for.
    return () => leaving.abort();
  }, [address, tries]);

  const download = <DownloadLink path={path} />;
  const retry = (
    <Button
      onClick={({ currentTarget }) => {
        // Its button goes, and the keys of the viewer stay.
        currentTarget.closest<HTMLElement>(".viewer")?.focus();
        setTries(tries + 1);
      }}
    >
      {t("buttons.retry")}
    </Button>
  );
  const shown: Shown = known ? { is: "nothing", why: known } : last;
  switch (shown.is) {
    case "converting":
      return (
        <Said text={t("reader.converting")} isShown>
          <FileSkeleton isText />
        </Said>
      );
    case "paper":
      return (
        <Said text={name}>
          <Paper name={entry.name} address={address} isWhole otherwise={download} />
        </Said>
      );
    case "nothing": {
      const text = t(shown.why, { size: formatBytes(LARGEST_CONVERTED, language) });
      return (
        <Said text={text}>
          <StatusScreen glyph={FileX} title={name} text={text}>
            {shown.why === "reader.officeBusy" && retry}
            {shown.why === "reader.officeInstall" && (
              <a className="button" href={`${config.BaseURL}/settings/check`}>
                {t("first.check")}
              </a>
            )}
            {download}
          </StatusScreen>
        </Said>
      );
    }
    case "failed":
      return (
        <Said text={t("status.loadTitle")}>
          <ErrorScreen status={shown.status}>
            {retry}
            {download}
          </ErrorScreen>
        </Said>
      );
  }
}

interface SaidProps {
  text: string;
  /** It is on screen, too. */
  isShown?: boolean;
  children: ReactNode;
}

/** Content, and in words what comes of it: one region of the page that changes, so that it is read. */
function Said({ text, isShown = false, children }: SaidProps) {
  const [said, setSaid] = useState("");
  useEffect(() => setSaid(text), [text]);
  return (
    <>
      {children}
      <p className={isShown ? "pdf__converting" : "unseen"} role="status">
        {isShown && said !== "" && <Spinner />}
        {said}
      </p>
    </>
  );
}
