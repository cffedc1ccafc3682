import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import { usePage } from "../../../base/core/page.ts";
import { Form, SaveButton } from "../Form.tsx";
import type { SettingsForm } from "../use_settings_form.ts";

interface FactorFormProps {
  form: SettingsForm<{ current: string }>;
  /** The content before the fields. */
  intro: ReactNode;
  /** Another second factor is asked for, in place of the user's own password. */
  isProved: boolean;
  /** The label of the button. */
  act: string;
  onCancel: () => void;
  /** The fields of the factor. */
  children: ReactNode;
}

/** The form of a new second factor. */
export function FactorForm(
  { form, intro, isProved, act, onCancel, children }: FactorFormProps,
) {
  const { t } = useTranslation();
  const { user } = usePage().data;
  return (
    <Form className="factors__form" form={form} opened>
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
        {!isProved && (
          <TextField
            {...form.field("current", "factor-password")}
            type="password"
            label={t("prompts.currentPassword")}
            autoComplete="current-password"
          />
        )}
      </div>
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={form.busy} words={act} />
      </div>
    </Form>
  );
}
