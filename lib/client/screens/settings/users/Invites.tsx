import { KeyRound, Undo2, UserPlus } from "lucide";
import { type ReactNode, useState } from "react";
import { useTranslation } from "react-i18next";
import { Button, IconButton } from "../../../../../components/Button.tsx";
import { ListRow } from "../ListRow.tsx";
import { Card } from "../../../../../components/Card.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import type { Clock } from "../../../../shared/clock.ts";
import type { InviteInfo, NewInvite } from "../../../../shared/schemas/invite.ts";
import type { ListPage } from "../../../../shared/list_page.ts";
import { PagedList } from "../../../base/ui/lists/PagedTable.tsx";
import { useList } from "../../../base/ui/lists/use_list.ts";
import { formatRelative } from "../../../base/core/format.ts";
import { usePage } from "../../../base/core/page.ts";
import { useClock } from "../../../base/core/use_clock.ts";
import { useToasts } from "../../../base/core/use_site.ts";
import { useAccount } from "../account_api.ts";
import { Form, SaveButton } from "../Form.tsx";
import { useSettingsForm } from "../use_settings_form.ts";
import { useSending } from "../use_sending.ts";
import { InviteNote } from "./InviteNote.tsx";

const blank = { username: "", mail: "" };

interface InvitesProps {
  invites: ListPage<InviteInfo>;
  clock: Clock;
  /** Shows the form for a new one. */
  isOpen: boolean;
  onClose: () => void;
  /** The users. */
  children: ReactNode;
}

/**
 * The links that create users and set passwords: the form and the link that is copied once above the
 * users, the list of those that can be withdrawn below them.
 */
export function Invites({ invites, clock, isOpen, onClose, children }: InvitesProps) {
  const { t, i18n: { language } } = useTranslation();
  const account = useAccount();
  const toasts = useToasts();
  const sending = useSending();
  const { now } = useClock(clock);
  const shown = useList(invites, "GET /api/invites", { name: "invites-" });
  const [made, setMade] = useState<NewInvite | null>(null);
  const { EnableMail } = usePage().data.config;

  const form = useSettingsForm(blank, {
    fields: { exists: "username", invalid_name: "username", invalid_address: "mail" },
    password: "first",
    save: ({ username, mail }, current) =>
      account.invite({ username: username.trim() || null, mail: mail.trim() || null }, current),
    done(invite, { mail }) {
      setMade(invite);
      shown.change((before) => [invite, ...before]);
      onClose();
      form.reset(blank);
      if (mail.trim()) toasts.success(t("mail.sent", { address: mail.trim() }));
    },
  });
  const withdraw = async ({ id }: InviteInfo) => {
    const answer = await sending.send(() => account.withdrawInvite(id), { password: "never" });
    if (!answer.ok && answer.status !== 404) return;
    shown.change((before) => before.filter((invite) => invite.id !== id));
    if (made?.id === id) setMade(null);
    toasts.success(t("invites.withdrawn"));
  };

  const hasPending = shown.items.length > 0 || shown.isLong;
  return (
    <>
      {(isOpen || made) && (
        <Card id="invites" title={t("invites.invite")} text={t("invites.inviteText")}>
          {made && <InviteNote invite={made} />}
          {isOpen && (
            <Form className="token-form" form={form} opened>
              <div className="fields">
                <TextField
                  {...form.field("username", "inviteName")}
                  label={t("invites.nameOpen")}
                  hint={t("invites.nameHint")}
                  verbatim
                />
                {EnableMail && (
                  <TextField
                    {...form.field("mail", "inviteMail")}
                    type="email"
                    label={t("mail.address")}
                    hint={t("mail.addressHint")}
                    verbatim
                  />
                )}
              </div>
              <div className="card__acts">
                <Button onClick={onClose}>{t("buttons.cancel")}</Button>
                <SaveButton busy={form.busy} words={t("invites.make")} />
              </div>
            </Form>
          )}
        </Card>
      )}
      {children}
      {hasPending && (
        <Card id="invites-open" title={t("invites.pending")}>
          <PagedList list={shown} name="invites-">
            <ul>
              {shown.items.map((invite) => {
                const of = invite.userID === null ? t("invites.forNew") : t("invites.forPassword");
                const name = invite.username ?? of;
                return (
                  <ListRow
                    key={invite.id}
                    glyph={invite.userID === null ? UserPlus : KeyRound}
                    name={<bdi>{name}</bdi>}
                    facts={
                      <>
                        {invite.username !== null && <span>{of}</span>}
                        <span>
                          {t("invites.expires")} {formatRelative(invite.expires, language, now)}
                        </span>
                        <bdi>{invite.by}</bdi>
                      </>
                    }
                  >
                    <IconButton
                      label={t("invites.withdraw", { name })}
                      glyph={Undo2}
                      onClick={() => void withdraw(invite)}
                    />
                  </ListRow>
                );
              })}
            </ul>
          </PagedList>
        </Card>
      )}
    </>
  );
}
