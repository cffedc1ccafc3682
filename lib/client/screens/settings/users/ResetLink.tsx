import { useState } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../../../components/Button.tsx";
import { CheckField } from "../../../../../components/Fields.tsx";
import type { UserInfo } from "../../../../shared/schemas/user.ts";
import { isMailAddress } from "../../../../shared/mailbox.ts";
import type { NewInvite } from "../../../../shared/schemas/invite.ts";
import { usePage } from "../../../base/core/page.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { useAccount } from "../account_api.ts";
import type { SettingsForm } from "../use_settings_form.ts";
import { InviteNote } from "./InviteNote.tsx";

interface ResetLinkProps {
  user: UserInfo;
  /** The user's mail address as the form has it, saved or not. */
  address: string;
  /** A refused address is a complaint about its field. */
  form: Pick<SettingsForm<object>, "busy" | "send">;
}

/** Makes a link by which a user sets a new password. */
export function ResetLink({ user, address, form }: ResetLinkProps) {
  const { id, username, lockPassword } = user;
  const { t } = useTranslation();
  const { AuthMethod, Provider, EnableMail } = usePage().data.config;
  const account = useAccount();
  const toasts = useToasts();
  const [isMailed, setMailed] = useState(false);
  const [made, setMade] = useState<NewInvite | null>(null);
  if (AuthMethod !== "json" || Provider?.Only || lockPassword) return null;
  const hasAddress = EnableMail && isMailAddress(address);
  const make = async () => {
    if (form.busy) return;
    const mail = hasAddress && isMailed ? address : null;
    const answer = await form.send((current) => account.invite({ userID: id, mail }, current), {
      fields: { invalid_address: "mail" },
      password: "first",
    });
    if (!answer.ok) return;
    setMade(answer.value);
    setMailed(false);
    if (mail) toasts.success(t("mail.sent", { address: mail }));
  };
  return (
    <>
      <div className="factors__row">
        <div>
          <p className="sessions__name">{t("invites.resetLink")}</p>
          <p className="sessions__facts">{t("invites.resetText", { name: username })}</p>
          {hasAddress && (
            <CheckField
              name="mailLink"
              label={t("mail.sendLink", { address })}
              value={isMailed}
              onChange={setMailed}
            />
          )}
        </div>
        <Button aria-busy={form.busy} onClick={() => void make()}>{t("invites.make")}</Button>
      </div>
      {made && <InviteNote invite={made} />}
    </>
  );
}
