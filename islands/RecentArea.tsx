import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { RecentList } from "../lib/client/files_page/places/RecentList.tsx";
import { PageSidebar } from "../lib/client/files_page/layout/sidebar/PageSidebar.tsx";
import { PageShell } from "../lib/client/files_page/layout/PageShell.tsx";
import { useApi } from "../lib/client/base/core/use_site.ts";
import type { Clock } from "../lib/shared/clock.ts";
import type { RecentEntry } from "../lib/shared/schemas/places.ts";

/** The content of the page of recent files, with the server's data. */
export function RecentArea(props: { items: RecentEntry[]; clock: Clock }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <PageShell
      title={t("places.recent")}
      sidebar={<PageSidebar at="recent" onSignOut={() => void api.signOut()} />}
    >
      <RecentList {...props} />
    </PageShell>
  );
}
