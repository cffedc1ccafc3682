import { useState } from "react";
import { useTranslation } from "react-i18next";
import type { TokenUser } from "../../../../shared/api_types.ts";
import { usePage } from "../../../base/core/page.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { TextField } from "../../../../../components/Fields.tsx";
import { Card } from "../../../../../components/Card.tsx";
import { Form, SaveButton } from "../Form.tsx";

const EMPTY = { password: "", again: "", current: "" };

/** Changes the user's password; the session continues with the token of the answer. */
export function PasswordCard({ user }: { user: TokenUser }) {
  const { t } = useTranslation();
  const { MinimumPasswordLength } = usePage().data.config;
  const account = useAccount();
  const toasts = useToasts();
  const sending = useSending();
  const [typed, setTyped] = useState(EMPTY);
  const match = matchOf(typed.password, typed.again);

  const save = async () => {
    if (match !== "yes") return;
    const { password, current } = typed;
    if (current === "") return sending.refuse("current", t("settings.currentMissing"));
    const answer = await sending.send(
      () => account.changeUser(user.id, { password }, current),
      {
        password: "never",
        fields: {
          invalid_password: "password",
          wrong_credentials: "current",
          throttled: "current",
        },
      },
    );
    if (!answer.ok) return;
    setTyped(EMPTY);
    toasts.success(t("toasts.passwordUpdated"));
  };
  const field = (name: keyof typeof EMPTY) => ({
    name,
    type: "password",
    value: typed[name],
    complaint: sending.about(name),
    onInput: (event: { currentTarget: HTMLInputElement }) =>
      setTyped({ ...typed, [name]: event.currentTarget.value }),
  });

  return (
    <Form busy={sending.busy} onSend={() => void save()}>
      <Card
        id="password"
        title={t("settings.changePassword")}
        acts={<SaveButton busy={sending.busy} words={t("settings.changePasswordDo")} />}
      >
        <input
          className="unseen"
          name="username"
          autoComplete="username"
          value={user.username}
          readOnly
          tabIndex={-1}
          aria-hidden="true"
        />
        <TextField
          {...field("password")}
          label={t("settings.newPassword")}
          hint={t("settings.passwordHint", { length: MinimumPasswordLength })}
          autoComplete="new-password"
          data-match={match || undefined}
        />
        <TextField
          {...field("again")}
          label={t("settings.passwordAgain")}
          hint={match === "no" && typed.again !== "" ? t("login.dontMatch") : undefined}
          autoComplete="new-password"
          data-match={match || undefined}
        />
        <TextField
          {...field("current")}
          label={t("prompts.currentPassword")}
          autoComplete="current-password"
        />
      </Card>
    </Form>
  );
}

/** Whether two typed passwords match; "" while both are empty. */
export function matchOf(password: string, again: string): "" | "yes" | "no" {
  if (password === "" && again === "") return "";
  return password === again ? "yes" : "no";
}
