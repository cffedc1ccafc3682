import { useState } from "react";
import { Button } from "../../../../components/Button.tsx";
import type { UserInfo } from "../../../shared/api_types.ts";
import type { NewInvite } from "../../../shared/schemas/invite.ts";
import { usePage } from "../../core/page.ts";
import { useToasts } from "../../core/use_site.ts";
import { useTranslation } from "../../core/use_translation.ts";
import { useAccount } from "../account_api.ts";
import { useSending } from "../use_sending.ts";
import { LinkAddressField } from "./LinkAddressField.tsx";
import { InviteNote } from "./InviteNote.tsx";

/** Makes a link by which a user sets a new password. */
export function ResetLink({ user: { id, username, lockPassword } }: { user: UserInfo }) {
  const { t } = useTranslation();
  const { AuthMethod, Provider, EnableMail } = usePage().data.config;
  const account = useAccount();
  const sending = useSending();
  const toasts = useToasts();
  const [address, setAddress] = useState("");
  const [made, setMade] = useState<NewInvite | null>(null);
  if (AuthMethod !== "json" || Provider?.Only || lockPassword) return null;
  const make = async () => {
    if (sending.busy) return;
    const mail = address.trim() || null;
    const answer = await sending.send((current) => account.invite({ userID: id, mail }, current), {
      fields: { invalid_address: "resetMail" },
      password: "first",
    });
    if (!answer.ok) return;
    setMade(answer.value);
    setAddress("");
    if (mail) toasts.success(t("mail.sent", { address: mail }));
  };
  return (
    <>
      <div className="factors__row">
        <div>
          <p className="sessions__name">{t("invites.resetLink")}</p>
          <p className="sessions__facts">{t("invites.resetText", { name: username })}</p>
        </div>
        <Button aria-busy={sending.busy} onClick={() => void make()}>{t("invites.make")}</Button>
      </div>
      {EnableMail && (
        <LinkAddressField
          name="resetMail"
          value={address}
          complaint={sending.about("resetMail")}
          onChange={setAddress}
          onEnter={() => void make()}
        />
      )}
      {made && <InviteNote invite={made} />}
    </>
  );
}
