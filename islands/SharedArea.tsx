import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { PageSidebar } from "../lib/client/files_page/layout/sidebar/PageSidebar.tsx";
import { PageShell } from "../lib/client/files_page/layout/PageShell.tsx";
import { RequestsTable } from "../lib/client/screens/settings/RequestsTable.tsx";
import { SharesTab } from "../lib/client/screens/settings/SharesTab.tsx";
import { useFocusKeeper } from "../lib/client/screens/settings/use_focus_keeper.ts";
import { useScrollKeeper } from "../lib/client/screens/settings/use_scroll_keeper.ts";
import { useApi } from "../lib/client/base/core/use_site.ts";
import type { RequestInfo } from "../lib/shared/schemas/request.ts";
import { isEmptyList, type ListPage } from "../lib/shared/list_page.ts";
import type { Clock } from "../lib/shared/clock.ts";
import type { SharedItem } from "../lib/shared/settings_data.ts";

interface SharedAreaProps {
  shares: ListPage<SharedItem>;
  requests: ListPage<RequestInfo>;
  clock: Clock;
}

/** The content of the page of one's own shares, with the server's data. */
export function SharedArea({ shares, requests, clock }: SharedAreaProps) {
  const { t } = useTranslation();
  const api = useApi();
  useFocusKeeper();
  useScrollKeeper();
  return (
    <PageShell
      title={t("places.shared")}
      sidebar={<PageSidebar at="shared" onSignOut={() => void api.signOut()} />}
    >
      {(!isEmptyList(shares) || isEmptyList(requests)) && (
        <SharesTab shares={shares} clock={clock} own />
      )}
      <RequestsTable requests={requests} clock={clock} own />
    </PageShell>
  );
}
