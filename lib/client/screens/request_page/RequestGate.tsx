import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { OpenRequest } from "../../../shared/api_types.ts";
import { reasonOf } from "../../base/api/reasons.ts";
import { throttledText } from "../../base/core/format_details.ts";
import { useApi } from "../../base/core/use_site.ts";
import { CaptchaField } from "../../base/session/AuthFields.tsx";
import { LinkGate } from "../../base/session/LinkGate.tsx";
import { useCaptcha } from "../../base/session/use_captcha.ts";

interface RequestGateProps {
  hash: string;
  asksPassword: boolean;
  onOpen: (request: OpenRequest) => void;
}

/** Asks a visitor for the password of a request, and for the captcha where the site has one. */
export function RequestGate({ hash, asksPassword, onOpen }: RequestGateProps) {
  const { t, i18n: { language } } = useTranslation();
  const { calls } = useApi();
  const captcha = useCaptcha();
  const [complaint, setComplaint] = useState("");
  const [busy, setBusy] = useState(false);

  const enter = async (password: string) => {
    setBusy(true);
    setComplaint("");
    const json = { password, recaptcha: captcha?.token() };
    const answer = await calls.json("POST /api/public/request/{hash}", {
      params: { hash },
      json,
      // A wrong password is refused with 401 as well, and ends no session of this browser.
      anonymous: true,
    });
    setBusy(false);
    if (answer.ok) return onOpen(answer.value);
    captcha?.again();
    const { code, retryAfter } = answer;
    setComplaint(
      code === "throttled"
        ? throttledText(t, language, retryAfter)
        : code === "wrong_credentials"
        ? t("request.captcha")
        : code === "password_required"
        ? t("share.wrongPassword")
        : reasonOf(t, answer),
    );
  };

  return (
    <LinkGate
      title={t(asksPassword ? "share.passwordTitle" : "request.title")}
      complaint={complaint}
      asksPassword={asksPassword}
      busy={busy}
      onEnter={(password) => void enter(password)}
    >
      {captcha && <CaptchaField captcha={captcha} />}
    </LinkGate>
  );
}
