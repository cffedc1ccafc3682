import { LockKeyhole } from "lucide";
import { useEffect, useState } from "react";
import { Button } from "../../../components/Button.tsx";
import { FormError, TextField } from "../../../components/Fields.tsx";
import { Icon } from "../../../components/Icon.tsx";
import type { OpenRequest } from "../../shared/api_types.ts";
import { path } from "../api/api_path.ts";
import { reasonOf } from "../api/reasons.ts";
import { throttledText } from "../core/format_details.ts";
import { useApi } from "../core/use_site.ts";
import { useTranslation } from "../core/use_translation.ts";
import { useCaptcha } from "../session/use_captcha.ts";

interface RequestGateProps {
  hash: string;
  asksPassword: boolean;
  onOpen: (request: OpenRequest) => void;
}

/** Asks a visitor for the password of a request, and for the captcha where the site has one. */
export function RequestGate({ hash, asksPassword, onOpen }: RequestGateProps) {
  const { t, language } = useTranslation();
  const { calls } = useApi();
  const captcha = useCaptcha();
  const [password, setPassword] = useState("");
  const [complaint, setComplaint] = useState("");
  const [busy, setBusy] = useState(false);
  const [ready, setReady] = useState(false);
  useEffect(() => setReady(true), []);

  const enter = async () => {
    setBusy(true);
    setComplaint("");
    const json = { password, recaptcha: captcha?.proof() };
    const answer = await calls.json<OpenRequest>(path`/api/public/request/${hash}`, {
      method: "POST",
      json,
    });
    setBusy(false);
    if (answer.ok) return onOpen(answer.value);
    captcha?.again();
    const { code, retryAfter } = answer;
    setComplaint(
      code === "throttled"
        ? throttledText(t, language, retryAfter)
        : code === "password_required"
        ? t("share.wrongPassword")
        : reasonOf(t, answer),
    );
  };

  return (
    <form
      className="login"
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        if (!busy) void enter();
      }}
    >
      <div className="welcome">
        <span className="status__sign">
          <Icon glyph={LockKeyhole} />
        </span>
        <h1 className="welcome__title">
          {t(asksPassword ? "share.passwordTitle" : "request.title")}
        </h1>
      </div>
      <FormError text={complaint} />
      {asksPassword && (
        <TextField
          name="password"
          type="password"
          label={t("login.password")}
          autoComplete="off"
          required
          autofocus
          value={password}
          onInput={(event) => setPassword(event.currentTarget.value)}
        />
      )}
      {captcha && <div ref={captcha.place} className="login__captcha" hidden={captcha.failed} />}
      {captcha?.failed && <p className="field__complaint" role="alert">{t("status.loadText")}</p>}
      <Button
        type={ready ? "submit" : "button"}
        look="primary"
        wide
        className="login__submit"
        aria-busy={busy}
      >
        {t("share.openIt")}
      </Button>
    </form>
  );
}
