import { LockKeyhole } from "lucide";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../components/Button.tsx";
import { FormError, TextField } from "../../../../components/Fields.tsx";
import { Icon } from "../../../../components/Icon.tsx";

interface LinkGateProps {
  title: string;
  /** Why the link was not opened; "" before that was tried. */
  complaint: string;
  asksPassword: boolean;
  busy?: boolean;
  /**
   * Called with the password. Without it, and before the page is hydrated, the browser posts the
   * form to the page's own address.
   */
  onEnter?: (password: string) => void;
  /** Further fields. */
  children?: ReactNode;
}

/** Asks a visitor for what opens a link, and tells nothing of what is behind it. */
export function LinkGate(
  { title, complaint, asksPassword, busy = false, onEnter, children }: LinkGateProps,
) {
  const { t } = useTranslation();
  return (
    <form
      className="login"
      method="post"
      onSubmit={onEnter && ((event) => {
        event.preventDefault();
        // The field keeps what is typed, or filled in by the browser, before the page is hydrated.
        const password = new FormData(event.currentTarget).get("password");
        if (!busy) onEnter(String(password ?? ""));
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
        />
      )}
      {children}
      <Button
        type="submit"
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
