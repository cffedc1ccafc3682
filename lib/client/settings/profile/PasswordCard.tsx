import { useState } from "react";
import type { TokenUser } from "../../../shared/api_types.ts";
import { matchOf } from "../matching.ts";
import { useAccount } from "../use_account.ts";
import { useSending } from "../use_sending.ts";
import { useToasts } from "../../core/use_site.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { TextField } from "../../../../components/TextField.tsx";
import { Card } from "../Card.tsx";
import { Form } from "../Form.tsx";
import { SaveButton } from "../SaveButton.tsx";

const EMPTY = { password: "", again: "", current: "" };

/** Gives the user another password; the session goes on with the token that comes for it. */
export function PasswordCard({ user }: { user: TokenUser }) {
  const { t } = useTranslation();
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
          hint={t("settings.passwordHint")}
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
