import { X } from "lucide";
import { useEffect, useState } from "react";
import { useTranslation } from "react-i18next";
import { IconButton } from "../../../../../components/Button.tsx";
import { isEditedInOffice } from "../../../../shared/file_kinds.ts";
import { keepIn, openLocalStorage } from "../../../base/core/browser_storage.ts";
import { usePage } from "../../../base/core/page.ts";

/** Where the browser keeps that the hint was closed. */
const KEY = "office-hint";

/** Tells administrators how documents can be edited, until they close it. */
export function OfficeHint({ name }: { name: string }) {
  const { t } = useTranslation();
  const { config, user } = usePage().data;
  const [isOpen, setOpen] = useState(false);
  useEffect(() => setOpen(openLocalStorage().getItem(KEY) === null), []);
  const isMeant = user?.perm.admin === true && !config.EnableOffice && isEditedInOffice(name);
  if (!isOpen || !isMeant) return null;
  const close = () => {
    keepIn(openLocalStorage(), KEY, "closed");
    setOpen(false);
  };
  return (
    <div className="office-hint">
      <p>{t("office.hint")}</p>
      <a className="button" href={`${config.BaseURL}/settings/check#feature-office`}>
        {t("office.setUp")}
      </a>
      <IconButton label={t("buttons.close")} glyph={X} onClick={close} />
    </div>
  );
}
