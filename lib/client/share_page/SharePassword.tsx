import { LockKeyhole } from "lucide";
import { useTranslation } from "../core/use_translation.ts";
import { throttledText } from "../core/format_wait.ts";
import { Button } from "../../../components/Button.tsx";
import { FormError } from "../../../components/FormError.tsx";
import { Icon } from "../../../components/Icon.tsx";
import { TextField } from "../../../components/TextField.tsx";

interface SharePasswordProps {
  refusal: { code: string; typed?: boolean; retryAfter?: number };
}

/** Asks a visitor for the password of a share, and tells nothing else of it. */
export function SharePassword({ refusal }: SharePasswordProps) {
  const { t, language } = useTranslation();
  const complaint = refusal.code === "throttled"
    ? throttledText(t, language, refusal.retryAfter)
    : refusal.typed
    ? t("login.wrong")
    : "";
  return (
    <form method="post" className="login">
      <div className="welcome">
        <span className="status__sign">
          <Icon glyph={LockKeyhole} />
        </span>
        <h1 className="welcome__title">{t("share.passwordTitle")}</h1>
      </div>
      <FormError text={complaint} />
      <TextField
        name="password"
        type="password"
        label={t("login.password")}
        autoComplete="off"
        required
        autofocus
      />
      <Button type="submit" look="primary" wide className="login__submit">
        {t("share.openIt")}
      </Button>
    </form>
  );
}
