import type { TFunction } from "i18next";
import { useTranslation } from "react-i18next";
import { CheckField, TextField } from "../../../../components/Fields.tsx";
import { formatNumber } from "../../base/core/format.ts";
import type { Fields } from "../../base/ui/use_form.ts";
import type { ShareInfo } from "../../../shared/schemas/share.ts";
import type { ShareTerms } from "./share_api.ts";

/** The largest limit on downloads. */
const maxLimit = 2 ** 31 - 1;

/** The terms of a share in a form. */
export interface TermsValues {
  name: string;
  /** The typed value; "" stands for no limit. */
  limit: string;
  viewOnly: boolean;
  linkPreview: boolean;
  notify: boolean;
}

/** The terms of a share in a form, or of a new share. */
export function termsValues(share: Partial<ShareInfo> = {}): TermsValues {
  const { name = "", downloadLimit, viewOnly = false, linkPreview = false } = share;
  const { notify = false } = share;
  const limit = String(downloadLimit ?? "");
  return { name, limit, viewOnly, linkPreview, notify };
}

/** The error messages of the member `terms` of a form. */
export function termsFaults(t: TFunction, language: string, { name, limit }: TermsValues) {
  // The pattern of the server is `shareNamePattern`, whose library is not loaded here.
  const isName = /^(?:[a-z0-9][a-z0-9-]{1,62}[a-z0-9])?$/i.test(name.trim());
  const isLimit = /^\d*$/.test(limit.trim()) && Number(limit) <= maxLimit;
  const most = formatNumber(maxLimit, language);
  return {
    ...!isName && { "terms.name": t("links.wrongName") },
    ...!isLimit && { "terms.limit": t("links.wrongLimit", { most }) },
  };
}

/** The terms in a form, as calls take them. */
export function termsOf(values: TermsValues): ShareTerms {
  const { viewOnly, linkPreview, notify } = values;
  return {
    name: values.name.trim().toLowerCase(),
    downloadLimit: Number(values.limit),
    viewOnly,
    linkPreview,
    notify,
  };
}

interface ShareTermsFieldsProps {
  form: Fields<TermsValues>;
}

/** Fields for a share's name, its limit, and what visitors see. */
export function ShareTermsFields({ form }: ShareTermsFieldsProps) {
  const { t } = useTranslation();
  return (
    <>
      <TextField
        {...form.field("name", "share-name")}
        label={t("links.name")}
        hint={t("links.nameHint")}
        verbatim
        dir="ltr"
      />
      <TextField
        {...form.field("limit", "share-limit")}
        label={t("links.limit")}
        hint={t("links.limitHint")}
        inputMode="numeric"
        autoComplete="off"
      />
      <CheckField
        {...form.field("viewOnly", "share-view-only")}
        label={t("links.viewOnly")}
        hint={t("links.viewOnlyHint")}
      />
      <CheckField
        {...form.field("linkPreview", "share-preview")}
        label={t("links.preview")}
        hint={t("links.previewHint")}
      />
      <CheckField
        {...form.field("notify", "share-notify")}
        label={t("links.notify")}
        hint={t("links.notifyHint")}
      />
    </>
  );
}
