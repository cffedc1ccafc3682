import type { TokenUser } from "../../../../shared/schemas/user.ts";
import { usePage } from "../../../base/core/page.ts";
import { useAccount } from "../account_api.ts";
import { useSettingsForm } from "../use_settings_form.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { useTranslation } from "react-i18next";
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
  const form = useSettingsForm(EMPTY, {
    fields: {
      invalid_password: "password",
      wrong_credentials: "current",
      throttled: "current",
    },
    check({ password, again, current }) {
      if (current === "") return ["current", t("settings.currentMissing")];
      // The fields are marked already.
      return matchOf(password, again) === "yes" ? null : ["again"];
    },
    password: "never",
    save: ({ password, current }) => account.changeUser(user.id, { password }, current),
    done() {
      form.reset(EMPTY);
      toasts.success(t("toasts.passwordUpdated"));
    },
  });
  const { password, again } = form.values;
  const match = matchOf(password, again);

  return (
    <Form form={form}>
      <Card
        id="password"
        title={t("settings.changePassword")}
        acts={<SaveButton busy={form.busy} words={t("settings.changePasswordDo")} />}
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
          {...form.field("current")}
          type="password"
          label={t("prompts.currentPassword")}
          autoComplete="current-password"
        />
        <TextField
          {...form.field("password")}
          type="password"
          label={t("settings.newPassword")}
          hint={t("settings.passwordHint", { length: MinimumPasswordLength })}
          autoComplete="new-password"
          data-match={match || undefined}
        />
        <TextField
          {...form.field("again")}
          type="password"
          label={t("settings.passwordAgain")}
          hint={match === "no" && again !== "" ? t("login.dontMatch") : undefined}
          autoComplete="new-password"
          data-match={match || undefined}
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
