import "../lib/client/site/open_site.ts";
import { RecentList } from "../lib/client/places/RecentList.tsx";
import { PageSidebar } from "../lib/client/layout/sidebar/PageSidebar.tsx";
import { PageShell } from "../lib/client/layout/PageShell.tsx";
import { useApi } from "../lib/client/core/use_site.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";
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
