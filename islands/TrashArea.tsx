import "../lib/client/site/open_site.ts";
import { TrashList, type TrashListProps } from "../lib/client/trash/TrashList.tsx";
import { PageSidebar } from "../lib/client/layout/sidebar/PageSidebar.tsx";
import { PageShell } from "../lib/client/layout/PageShell.tsx";
import { useApi } from "../lib/client/core/use_site.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";

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
