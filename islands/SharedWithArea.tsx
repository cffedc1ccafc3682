import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { PageSidebar } from "../lib/client/files_page/layout/sidebar/PageSidebar.tsx";
import { PageShell } from "../lib/client/files_page/layout/PageShell.tsx";
import { SharedWithList } from "../lib/client/files_page/sharing/SharedWithList.tsx";
import { useApi } from "../lib/client/base/core/use_site.ts";
import type { Clock } from "../lib/shared/clock.ts";
import type { SharedWithMe } from "../lib/shared/schemas/share.ts";

/** The content of the page of what others share, with the server's data. */
export function SharedWithArea(props: { items: readonly SharedWithMe[]; clock: Clock }) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <PageShell
      title={t("places.sharedWithMe")}
      sidebar={<PageSidebar at="sharedWithMe" onSignOut={() => void api.signOut()} />}
    >
      <SharedWithList {...props} />
    </PageShell>
  );
}
