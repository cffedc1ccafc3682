import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import { usePage } from "../../../base/core/page.ts";
import { Form, SaveButton } from "../Form.tsx";
import type { Sending } from "../use_sending.ts";

/** The field of the password, for the errors of a form. */
export const passwordField = "factor-password";

interface FactorFormProps {
  sending: Sending;
  /** The content before the fields. */
  intro: ReactNode;
  /** The user's own password; null where another second factor is asked for. */
  password: { value: string; onChange: (password: string) => void } | null;
  /** The label of the button. */
  act: string;
  onSend: () => void;
  onCancel: () => void;
  /** The fields of the factor. */
  children: ReactNode;
}

/** The form of a new second factor. */
export function FactorForm(
  { sending, intro, password, act, onSend, onCancel, children }: FactorFormProps,
) {
  const { t } = useTranslation();
  const { user } = usePage().data;
  return (
    <Form className="factors__form" busy={sending.busy} onSend={onSend} opened>
      {intro}
      <input
        className="unseen"
        name="username"
        autoComplete="username"
        value={user?.username}
        readOnly
        tabIndex={-1}
        aria-hidden="true"
      />
      <div className="fields">
        {children}
        {password && (
          <TextField
            name={passwordField}
            type="password"
            label={t("prompts.currentPassword")}
            complaint={sending.about(passwordField)}
            autoComplete="current-password"
            value={password.value}
            onInput={(event) => password.onChange(event.currentTarget.value)}
          />
        )}
      </div>
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={sending.busy} words={act} />
      </div>
    </Form>
  );
}
