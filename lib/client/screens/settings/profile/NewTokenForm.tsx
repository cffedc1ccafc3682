import { maxTokenNameLength, type NewApiToken } from "../../../../shared/schemas/api_token.ts";
import { dayMs } from "../../../../shared/time.ts";
import { useAccount } from "../account_api.ts";
import { useSettingsForm } from "../use_settings_form.ts";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { CheckField, SelectField, TextField } from "../../../../../components/Fields.tsx";
import { Form, SaveButton } from "../Form.tsx";
import { NewSecretField } from "../NewSecretField.tsx";

/** The choices of a lifetime, in days. */
const lifetimes = { month: 30, quarter: 90, year: 365, never: null } as const;

type Lifetime = keyof typeof lifetimes;

const blank = {
  name: "",
  rights: "read" as "read" | "write",
  share: false,
  folder: "",
  lifetime: "quarter" as Lifetime,
};

interface NewTokenFormProps {
  onMade: (token: NewApiToken) => void;
  onCancel: () => void;
}

/** Asks what a new API token is for and what it may do; the password is asked for on sending. */
export function NewTokenForm({ onMade, onCancel }: NewTokenFormProps) {
  const { t } = useTranslation();
  const account = useAccount();
  const form = useSettingsForm(blank, {
    fields: {
      not_found: "folder",
      forbidden: "folder",
      invalid_path: "folder",
    },
    check: ({ name }) => name.trim() === "" ? ["name", t("tokens.nameMissing")] : null,
    save({ name, rights, share, folder, lifetime }, password) {
      const days = lifetimes[lifetime];
      const draft = {
        ...{ name, share },
        write: rights === "write",
        folder: folder.trim() === "" ? null : folder,
        expires: days === null ? null : new Date(Date.now() + days * dayMs).toISOString(),
      };
      return account.makeToken(draft, password);
    },
    done: onMade,
  });

  return (
    <Form className="token-form" form={form} opened>
      <div className="fields">
        <TextField
          {...form.field("name", "tokenName")}
          label={t("tokens.name")}
          hint={t("tokens.nameHint")}
          maxLength={maxTokenNameLength}
          autoComplete="off"
        />
        <TextField
          {...form.field("folder", "tokenFolder")}
          label={t("tokens.folder")}
          hint={t("tokens.folderHint")}
          verbatim
          placeholder="/"
        />
        <SelectField
          {...form.field("rights", "tokenRights")}
          label={t("tokens.rights")}
          options={[["read", t("tokens.read")], ["write", t("tokens.write")]]}
        />
        <SelectField
          {...form.field("lifetime", "tokenLifetime")}
          label={t("tokens.expires")}
          options={[
            ["month", t("tokens.month")],
            ["quarter", t("tokens.quarter")],
            ["year", t("tokens.year")],
            ["never", t("tokens.never")],
          ]}
        />
      </div>
      <CheckField {...form.field("share", "tokenShare")} label={t("tokens.share")} />
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={form.busy} words={t("tokens.create")} />
      </div>
    </Form>
  );
}

/** Shows a new API token, this once. */
export function NewTokenNote({ token }: { token: string }) {
  const { t } = useTranslation();
  return (
    <NewSecretField
      name="newToken"
      secret={token}
      label={t("tokens.made")}
      hint={t("tokens.madeHint")}
      copyLabel={t("tokens.copy")}
      copied={t("tokens.copied")}
    />
  );
}
