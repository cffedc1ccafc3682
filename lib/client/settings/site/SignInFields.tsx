import type { UserFields } from "../../../shared/api_types.ts";
import type { Sending } from "../use_sending.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { TextField } from "../../../../components/TextField.tsx";
import { CheckField } from "../../../../components/CheckField.tsx";

interface SignInFieldsProps {
  value: UserFields;
  password: string;
  isNew: boolean;
  sending: Sending;
  onChange: (change: Partial<UserFields>) => void;
  onPassword: (password: string) => void;
}

/** What a user signs in with. */
export function SignInFields(
  { value, password, isNew, sending, onChange, onPassword }: SignInFieldsProps,
) {
  const { t } = useTranslation();
  return (
    <>
      <div className="fields">
        <TextField
          name="username"
          label={t("login.username")}
          verbatim
          required
          value={value.username}
          complaint={sending.about("username")}
          onInput={(event) => onChange({ username: event.currentTarget.value })}
        />
        <TextField
          name="password"
          type="password"
          label={t("login.password")}
          hint={t("settings.passwordHint")}
          placeholder={isNew ? undefined : t("settings.users.blankPassword")}
          autoComplete="new-password"
          required={isNew}
          value={password}
          complaint={sending.about("password")}
          onInput={(event) => onPassword(event.currentTarget.value)}
        />
      </div>
      <CheckField
        name="lockPassword"
        label={t("settings.lockPassword")}
        hint={value.perm.admin ? t("settings.lockPasswordAdmin") : undefined}
        checked={value.lockPassword}
        disabled={value.perm.admin}
        onChange={(lockPassword) => onChange({ lockPassword })}
      />
    </>
  );
}
