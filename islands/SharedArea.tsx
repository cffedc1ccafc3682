import { PageSidebar } from "../lib/client/navigation/PageSidebar.tsx";
import { PageShell } from "../lib/client/navigation/PageShell.tsx";
import { SharesTab } from "../lib/client/settings/SharesTab.tsx";
import { useApi } from "../lib/client/core/use_site.ts";
import { useTranslation } from "../lib/client/core/use_translation.ts";
import type { Clock } from "../lib/shared/clock.ts";
import type { SharedItem } from "../lib/shared/settings_data.ts";

/** The content of the page of one's own shares, with the server's data. */
export function SharedArea(props: { shares: SharedItem[]; clock: Clock }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <PageShell
      title={t("places.shared")}
      sidebar={<PageSidebar at="shared" onSignOut={() => void api.signOut()} />}
    >
      <SharesTab {...props} own />
    </PageShell>
  );
}
