import type { ComponentProps } from "react";
import { useTranslation } from "react-i18next";
import { TextField } from "../../../../components/Fields.tsx";
import type { Captcha } from "./use_captcha.ts";

type UsernameFieldProps = Omit<ComponentProps<typeof TextField>, "name" | "label"> & {
  /** Browsers suggest passkeys with the names that they know. */
  passkeys?: boolean;
};

/** The field for the name that a user signs in with. */
export function UsernameField({ passkeys = false, ...field }: UsernameFieldProps) {
  const { t } = useTranslation();
  return (
    <TextField
      {...field}
      name="username"
      label={t("login.username")}
      verbatim
      autoComplete={passkeys ? "username webauthn" : "username"}
      required
    />
  );
}

/** The place of the site's captcha, and the message when its script has not come. */
export function CaptchaField({ captcha }: { captcha: Captcha }) {
  const { t } = useTranslation();
  return (
    <div>
      <div ref={captcha.place} className="login__captcha" hidden={captcha.failed} />
      <div role="alert">
        {captcha.failed && <p className="field__complaint">{t("status.loadText")}</p>}
      </div>
    </div>
  );
}
