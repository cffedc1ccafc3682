import { useTranslation } from "react-i18next";
import { isoOf } from "../../../shared/time.ts";
import { Inbox } from "lucide";
import { useEffect, useRef, useState } from "react";
import { Icon } from "../../../../components/Icon.tsx";
import type { Failure } from "../../../shared/result.ts";
import type { OpenRequest } from "../../../shared/schemas/request.ts";
import type { Clock } from "../../../shared/clock.ts";
import { formatBytes, formatExact, formatList, formatNumber } from "../../base/core/format.ts";
import { useClock } from "../../base/core/use_clock.ts";
import { useApi } from "../../base/core/use_site.ts";
import { useReason } from "../../base/ui/use_reason.ts";
import { useForm } from "../../base/ui/use_form.ts";
import { CaptchaField } from "../../base/session/AuthFields.tsx";
import { LinkGate } from "../../base/session/LinkGate.tsx";
import { useCaptcha } from "../../base/session/use_captcha.ts";
import { TextField } from "../../../../components/Fields.tsx";
import { declaredPath } from "../../base/api/api_path.ts";
import { SendForm } from "./SendForm.tsx";

/** The props of the page of a request. */
export interface RequestPageProps {
  hash: string;
  clock: Clock;
  /** Null while a password or a captcha is asked for. */
  open: OpenRequest | null;
  asksPassword: boolean;
  /** Why what the browser has sent did not open it; else null. */
  refusal: Failure | null;
}

/** The page of a request for files: who asks for what, and the place to drop it. */
export function RequestPage({ clock, open, ...gate }: RequestPageProps) {
  const [request, setRequest] = useState(open);
  if (!request) return <RequestGate {...gate} onOpen={setRequest} />;
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
    ...kinds.length > 0 ? [t("request.kinds", { kinds: formatList(kinds, language) })] : [],
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

interface RequestGateProps extends Pick<RequestPageProps, "hash" | "asksPassword" | "refusal"> {
  onOpen: (request: OpenRequest) => void;
}

/** Asks a visitor for the password of a request, and for the captcha where the site has one. */
function RequestGate({ hash, asksPassword, refusal, onOpen }: RequestGateProps) {
  const { t } = useTranslation();
  const reason = useReason();
  const { calls } = useApi();
  const captcha = useCaptcha();
  const [first, setFirst] = useState(refusal);
  const reasonOf = (why: Failure) =>
    why.code === "wrong_credentials"
      ? t("request.captcha")
      : why.code === "password_required"
      ? t("share.wrongPassword")
      : reason(why);
  const form = useForm({ password: "" }, {
    reason: reasonOf,
    async save({ password }) {
      const answer = await calls.json("POST /api/public/request/{hash}", {
        params: { hash },
        json: { password, recaptcha: captcha?.token() },
        // A wrong password is refused with 401 as well, and ends no session of this browser.
        anonymous: true,
      });
      if (!answer.ok) captcha?.again();
      return answer;
    },
    done: onOpen,
  });

  return (
    <LinkGate
      title={t(asksPassword ? "share.passwordTitle" : "request.title")}
      complaint={form.error ?? (first ? reasonOf(first) : "")}
      asksPassword={asksPassword}
      busy={form.busy}
      onEnter={(password) => {
        setFirst(null);
        void form.submit({ password });
      }}
    >
      {captcha && <CaptchaField captcha={captcha} />}
    </LinkGate>
  );
}

/** The place to drop files for a request, under the name of who sends them. */
function SendFiles({ request }: { request: OpenRequest }) {
  const { t } = useTranslation();
  const { calls } = useApi();
  const [sender, setSender] = useState("");
  if (request.isFull) return <p className="request__done">{t("request.full")}</p>;
  const { hash, kinds, token } = request;
  const to = declaredPath("POST /api/public/request/{hash}/files", { hash });
  const access = { anonymous: true, headers: { "x-request-token": token } };
  return (
    <div className="request__desk">
      <TextField
        name="sender"
        label={t("request.sender")}
        hint={t("request.senderHint")}
        autoComplete="name"
        maxLength={80}
        value={sender}
        onChange={setSender}
      />
      <SendForm
        target={{ calls, to, access, sender }}
        kinds={kinds}
        arrivedText={(counts) => t("request.arrived", counts)}
      />
    </div>
  );
}
