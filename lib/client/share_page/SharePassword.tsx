import { LockKeyhole } from "lucide";
import { useTranslation } from "../core/use_translation.ts";
import { throttledText } from "../core/format_details.ts";
import { Button } from "../../../components/Button.tsx";
import { FormError, TextField } from "../../../components/Fields.tsx";
import { Icon } from "../../../components/Icon.tsx";

interface SharePasswordProps {
  refusal: { code: string; typed?: boolean; retryAfter?: number };
}

/** Asks a visitor for the password of a share; reveals nothing else about it. */
export function SharePassword({ refusal }: SharePasswordProps) {
  const { t, language } = useTranslation();
  const complaint = refusal.code === "throttled"
    ? throttledText(t, language, refusal.retryAfter)
    : refusal.typed
    ? t("share.wrongPassword")
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
