import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Inbox } from "lucide";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../../../../components/Icon.tsx";
import type { OpenRequest } from "../../../shared/api_types.ts";
import type { Clock } from "../../../shared/clock.ts";
import { formatBytes, formatExact, formatNumber } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { RequestGate } from "./RequestGate.tsx";
import { SendFiles } from "./SendFiles.tsx";

/** The props of the page of a request. */
export interface RequestPageProps {
  hash: string;
  clock: Clock;
  /** Null while a password or a captcha is asked for. */
  open: OpenRequest | null;
  asksPassword: boolean;
}

/** The page of a request for files: who asks for what, and the place to drop it. */
export function RequestPage({ hash, clock, open, asksPassword }: RequestPageProps) {
  const [request, setRequest] = useState(open);
  if (!request) {
    return <RequestGate hash={hash} asksPassword={asksPassword} onOpen={setRequest} />;
  }
  return (
    <>
      <RequestHead request={request} clock={clock} opened={open === null} />
      <SendFiles request={request} />
    </>
  );
}

interface RequestHeadProps {
  request: OpenRequest;
  clock: Clock;
  /** A password has opened it on this page: its form had the focus, and is gone. */
  opened: boolean;
}

function RequestHead({ request, clock, opened }: RequestHeadProps) {
  const { t, i18n: { language } } = useTranslation();
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    if (opened) heading.current?.focus();
  }, []);
  const { timeZone } = useClock(clock);
  const { title, note, owner, expire, kinds, maxFiles, maxFileSize, maxTotalSize } = request;
  const end = isoOf(expire * 1000);
  const limits = [
    ...kinds.length > 0 ? [t("request.kinds", { kinds: kinds.join(", ") })] : [],
    ...maxFiles > 0 ? [t("request.mostFiles", { files: formatNumber(maxFiles, language) })] : [],
    ...maxFileSize > 0 ? [t("request.mostSize", { size: formatBytes(maxFileSize, language) })] : [],
    ...maxTotalSize > 0
      ? [t("request.mostTotal", { size: formatBytes(maxTotalSize, language) })]
      : [],
    ...expire > 0 ? [t("share.until", { when: formatExact(end, language, timeZone) })] : [],
  ];
  return (
    <div className="request__head">
      <span className="status__sign">
        <Icon glyph={Inbox} />
      </span>
      <h1 className="welcome__title" dir="auto" ref={heading} tabIndex={opened ? -1 : undefined}>
        {title || t("request.title")}
      </h1>
      {owner !== "" && <p className="request__owner">{t("request.by", { name: owner })}</p>}
      {note !== "" && <p className="request__note" dir="auto">{note}</p>}
      {limits.length > 0 && (
        <ul className="request__limits">{limits.map((limit) => <li key={limit}>{limit}</li>)}</ul>
      )}
    </div>
  );
}
