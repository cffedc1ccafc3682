import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { TrashList, type TrashListProps } from "../lib/client/screens/trash/TrashList.tsx";
import { PageSidebar } from "../lib/client/files_page/layout/sidebar/PageSidebar.tsx";
import { PageShell } from "../lib/client/files_page/layout/PageShell.tsx";
import { useApi } from "../lib/client/base/core/use_site.ts";

/** The content of the page of the trash, with the server's data. */
export function TrashArea(props: TrashListProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <PageShell
      title={t("trash.title")}
      sidebar={<PageSidebar at="trash" onSignOut={() => void api.signOut()} />}
    >
      <TrashList {...props} />
    </PageShell>
  );
}
