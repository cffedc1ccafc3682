import { LockKeyhole } from "lucide";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FormError, TextField } from "../../../../components/Fields.tsx";
import { Icon } from "../../../../components/Icon.tsx";
import { useHydrated } from "../core/page.ts";

interface LinkGateProps {
  title: string;
  /** Why the link was not opened; "" before that was tried. */
  complaint: string;
  asksPassword: boolean;
  busy?: boolean;
  /** Called with the password. Without it, the browser posts the form to the page's own address. */
  onEnter?: (password: string) => void;
  /** Further fields. */
  children?: ReactNode;
}

/** Asks a visitor for what opens a link, and tells nothing of what is behind it. */
export function LinkGate(
  { title, complaint, asksPassword, busy = false, onEnter, children }: LinkGateProps,
) {
  const { t } = useTranslation();
  const hydrated = useHydrated();
  const [password, setPassword] = useState("");
  return (
    <form
      className="login"
      method="post"
      onSubmit={onEnter && ((event) => {
        event.preventDefault();
        if (!busy) onEnter(password);
      })}
    >
      <div className="welcome">
        <span className="status__sign">
          <Icon glyph={LockKeyhole} />
        </span>
        <h1 className="welcome__title">{title}</h1>
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
          onChange={setPassword}
        />
      )}
      {children}
      <Button
        type={onEnter && !hydrated ? "button" : "submit"}
        variant="primary"
        wide
        className="login__submit"
        aria-busy={busy}
      >
        {t("share.openIt")}
      </Button>
    </form>
  );
}
