import { useTranslation } from "react-i18next";
import type { ShareInfo } from "../../../shared/api_types.ts";
import { CheckField, TextField } from "../../../../components/Fields.tsx";
import { formatNumber } from "../../base/core/format.ts";
import type { Recipient } from "../../../shared/schemas/share.ts";
import { RecipientsField, withNames } from "./RecipientsField.tsx";
import type { ShareTerms } from "./share_api.ts";

/** The largest limit on downloads. */
const most = 2 ** 31 - 1;

/** The form of the terms of a share. */
export interface TermsForm {
  name: string;
  /** The typed values; "" stands for no limit. */
  limit: string;
  viewOnly: boolean;
  linkPreview: boolean;
  notify: boolean;
  /** The users and groups of the share; and a name that is typed and not in the list yet. */
  recipients: readonly Recipient[];
  typed: string;
  /** The list as it was, as JSON. */
  former: string;
  /** The value of the form; null while a field is invalid. */
  value: ShareTerms | null;
}

/** The form of a share's terms, or of those of a new share. */
export function termsFormOf(share: Partial<ShareInfo> = {}): TermsForm {
  const { name = "", downloadLimit, viewOnly = false, linkPreview = false } = share;
  const { notify = false } = share;
  const recipients = share.audience ?? [];
  return checked({
    ...{ name, limit: String(downloadLimit ?? ""), viewOnly, linkPreview, notify },
    ...{ recipients, typed: "", former: JSON.stringify(recipients) },
  });
}

function checked(form: Omit<TermsForm, "value">): TermsForm {
  const { viewOnly, linkPreview, notify } = form;
  const audience = withNames(form.recipients, form.typed);
  const value = isName(form.name) && isLimit(form.limit)
    ? {
      name: form.name.trim().toLowerCase(),
      downloadLimit: Number(form.limit),
      viewOnly,
      linkPreview,
      notify,
      // Sent only when it has changed: those whom it was for may be gone.
      ...JSON.stringify(audience) !== form.former &&
        { audience: audience.length > 0 ? [...audience] : null },
    }
    : null;
  return { ...form, value };
}

/** Whether the server takes the name; see `shareNamePattern`, whose library is not loaded here. */
function isName(name: string): boolean {
  return /^(?:[a-z0-9][a-z0-9-]{1,62}[a-z0-9])?$/i.test(name.trim());
}

function isLimit(limit: string): boolean {
  return /^\d*$/.test(limit.trim()) && Number(limit) <= most;
}

interface TermsFieldsProps {
  form: TermsForm;
  /** The share leads to a folder, into which files can be put. */
  isFolder: boolean;
  onChange: (form: TermsForm) => void;
  /** The error message of the name. */
  nameComplaint?: string;
  /** The error message of those whom the share is for. */
  audienceComplaint?: string;
}

/** Fields for a share's name, its limit, and what visitors see. */
export function TermsFields(
  { form, isFolder, onChange, nameComplaint, audienceComplaint }: TermsFieldsProps,
) {
  const { t, i18n: { language } } = useTranslation();
  const change = (changed: Partial<TermsForm>) => onChange(checked({ ...form, ...changed }));
  return (
    <>
      <RecipientsField
        value={form.recipients}
        typed={form.typed}
        isFolder={isFolder}
        viewOnly={form.viewOnly}
        complaint={audienceComplaint}
        onChange={(recipients, typed) => change({ recipients, typed })}
      />
      <TextField
        name="share-name"
        label={t("links.name")}
        hint={t("links.nameHint")}
        complaint={isName(form.name) ? nameComplaint : t("links.wrongName")}
        verbatim
        dir="ltr"
        value={form.name}
        onChange={(text) => change({ name: text })}
      />
      <TextField
        name="share-limit"
        label={t("links.limit")}
        hint={t("links.limitHint")}
        complaint={isLimit(form.limit)
          ? undefined
          : t("links.wrongLimit", { most: formatNumber(most, language) })}
        inputMode="numeric"
        autoComplete="off"
        value={form.limit}
        onChange={(text) => change({ limit: text })}
      />
      <CheckField
        name="share-view-only"
        label={t("links.viewOnly")}
        hint={t("links.viewOnlyHint")}
        value={form.viewOnly}
        onChange={(viewOnly) => change({ viewOnly })}
      />
      <CheckField
        name="share-preview"
        label={t("links.preview")}
        hint={t("links.previewHint")}
        value={form.linkPreview}
        onChange={(linkPreview) => change({ linkPreview })}
      />
      <CheckField
        name="share-notify"
        label={t("links.notify")}
        hint={t("links.notifyHint")}
        value={form.notify}
        onChange={(notify) => change({ notify })}
      />
    </>
  );
}
