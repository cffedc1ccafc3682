import { useTranslation } from "react-i18next";
import type { PageProvider } from "../../../shared/page_data.ts";
import { FormError } from "../../../../components/Fields.tsx";

interface ProviderEntryProps {
  provider: PageProvider;
  /** Where one signs in by an account of it. */
  href: string;
  /** Why that has not worked. */
  refusal?: string | undefined;
}

/** The way to sign in by an account elsewhere, above the form for a password if there is one. */
export function ProviderEntry({ provider: { Name, Only }, href, refusal }: ProviderEntryProps) {
  const { t } = useTranslation();
  return (
    <div className="login">
      <FormError text={refusal} />
      <a
        className={`button button--wide login__provider ${Only ? "button--primary" : ""}`}
        href={href}
      >
        <span className="button__word">{t("external.signIn", { name: Name })}</span>
      </a>
      {!Only && <p className="login__or">{t("external.or")}</p>}
    </div>
  );
}
