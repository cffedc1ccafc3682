import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { NewApiToken } from "../../../../shared/api_types.ts";
import { maxTokenNameLength } from "../../../../shared/schemas/api_token.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
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
  const sending = useSending();
  const [wanted, setWanted] = useState(blank);
  const change = (changed: Partial<typeof blank>) => setWanted({ ...wanted, ...changed });

  const make = async () => {
    const { name, rights, share, folder, lifetime } = wanted;
    if (name.trim() === "") return sending.refuse("tokenName", t("tokens.nameMissing"));
    const days = lifetimes[lifetime];
    const draft = {
      ...{ name, share },
      write: rights === "write",
      folder: folder.trim() === "" ? null : folder,
      expires: days === null ? null : new Date(Date.now() + days * 86_400_000).toISOString(),
    };
    const answer = await sending.send(
      (password) => account.makeToken(draft, password),
      {
        fields: {
          not_found: "tokenFolder",
          forbidden: "tokenFolder",
          invalid_path: "tokenFolder",
          invalid_body: "tokenName",
        },
      },
    );
    if (answer.ok) onMade(answer.value);
  };

  return (
    <Form
      className="token-form"
      busy={sending.busy}
      onSend={() => void make()}
      opened
    >
      <div className="fields">
        <TextField
          name="tokenName"
          label={t("tokens.name")}
          hint={t("tokens.nameHint")}
          maxLength={maxTokenNameLength}
          autoComplete="off"
          value={wanted.name}
          complaint={sending.about("tokenName")}
          onInput={(event) => change({ name: event.currentTarget.value })}
        />
        <TextField
          name="tokenFolder"
          label={t("tokens.folder")}
          hint={t("tokens.folderHint")}
          verbatim
          placeholder="/"
          value={wanted.folder}
          complaint={sending.about("tokenFolder")}
          onInput={(event) => change({ folder: event.currentTarget.value })}
        />
        <SelectField
          name="tokenRights"
          label={t("tokens.rights")}
          value={wanted.rights}
          options={[["read", t("tokens.read")], ["write", t("tokens.write")]]}
          onChange={(rights) => change({ rights })}
        />
        <SelectField
          name="tokenLifetime"
          label={t("tokens.expires")}
          value={wanted.lifetime}
          options={[
            ["month", t("tokens.month")],
            ["quarter", t("tokens.quarter")],
            ["year", t("tokens.year")],
            ["never", t("tokens.never")],
          ]}
          onChange={(lifetime) => change({ lifetime })}
        />
      </div>
      <CheckField
        name="tokenShare"
        label={t("tokens.share")}
        checked={wanted.share}
        onChange={(share) => change({ share })}
      />
      <div className="card__acts">
        <Button onClick={onCancel}>{t("buttons.cancel")}</Button>
        <SaveButton busy={sending.busy} words={t("tokens.create")} />
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
