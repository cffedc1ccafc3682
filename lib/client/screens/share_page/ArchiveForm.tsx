import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import type { SharePageData } from "../../../shared/api_types.ts";
import { archiveFormats } from "../../../shared/schemas/choices/choices.ts";
import type { ShareLinks } from "./share_links.ts";

interface ArchiveFormProps {
  shown: SharePageData;
  links: ShareLinks;
  className: string;
  children: ReactNode;
}

/** Downloads the folder on the page, or the ticked entries: works without scripts. */
export function ArchiveForm({ shown, links, className, children }: ArchiveFormProps) {
  return (
    <form className={className} method="get" action={links.bytes(shown.resource.path)}>
      {shown.token !== "" && <input type="hidden" name="token" value={shown.token} />}
      {children}
    </form>
  );
}

/** A select field for the archive format. */
export function FormatField() {
  const { t } = useTranslation();
  return (
    <label className="shared__format">
      <span>{t("share.format")}</span>
      <select name="algo" className="field__input">
        {archiveFormats.map((kind) => <option key={kind} value={kind}>{kind}</option>)}
      </select>
    </label>
  );
}
