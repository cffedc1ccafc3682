import { Copy } from "lucide";
import { useEffect, useRef } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { TextField } from "../../../../../components/Fields.tsx";
import type { NewInvite } from "../../../../shared/schemas/invite.ts";
import { copyText } from "../../../base/core/copy_text.ts";
import { formatExact } from "../../../base/core/format.ts";
import { usePage } from "../../../base/core/page.ts";
import { useToasts } from "../../../base/core/use_site.ts";

/** A link that was just made, to be copied this once. */
export function InviteNote({ invite: { token, expires } }: { invite: NewInvite }) {
  const { t, i18n: { language } } = useTranslation();
  const { BaseURL } = usePage().data.config;
  const toasts = useToasts();
  const input = useRef<HTMLInputElement>(null);
  // The part after "#" is sent to no server, and is in no log.
  const link = `${location.origin}${BaseURL}/invite#${token}`;
  useEffect(() => {
    input.current?.focus();
    input.current?.select();
  }, [link]);
  const copy = async () => {
    if (await copyText(link)) toasts.success(t("toasts.linkCopied"));
    else toasts.error(t("sharing.noCopy"));
  };
  return (
    <TextField
      name="inviteLink"
      label={t("invites.ready")}
      hint={t("invites.readyText", { when: formatExact(expires, language) })}
      verbatim
      readOnly
      value={link}
      inputRef={input}
      end={<IconButton label={t("invites.copy")} glyph={Copy} onClick={() => void copy()} />}
    />
  );
}
