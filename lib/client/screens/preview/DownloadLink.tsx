import { Download } from "lucide";
import { useTranslation } from "react-i18next";
import { Icon } from "../../../../components/Icon.tsx";
import type { EntryPath } from "../../../shared/path.ts";
import { useApi } from "../../base/core/use_site.ts";

/** The way to save a file that is not shown. */
export function DownloadLink({ path }: { path: EntryPath }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <a className="button button--primary" href={api.rawAddress(path)} download>
      <Icon glyph={Download} />
      {t("buttons.download")}
    </a>
  );
}
