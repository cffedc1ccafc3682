import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import "../lib/client/base/open_site.ts";
import { RecentList } from "../lib/client/files_page/places/RecentList.tsx";
import { PageShell } from "../lib/client/files_page/layout/PageShell.tsx";
import { PageSidebar } from "../lib/client/files_page/layout/sidebar/PageSidebar.tsx";
import { SharedWithList } from "../lib/client/files_page/sharing/SharedWithList.tsx";
import { OwnShares } from "../lib/client/screens/settings/OwnShares.tsx";
import { RequestsTable } from "../lib/client/screens/settings/RequestsTable.tsx";
import { TrashList } from "../lib/client/screens/trash/TrashList.tsx";
import { useApi } from "../lib/client/base/core/use_site.ts";
import type { Clock } from "../lib/shared/clock.ts";
import { isEmptyList, type ListPage } from "../lib/shared/list_page.ts";
import type { RecentEntry } from "../lib/shared/schemas/places.ts";
import type { RequestInfo } from "../lib/shared/schemas/request.ts";
import type { SharedWithMe } from "../lib/shared/schemas/share.ts";
import type { TrashPage } from "../lib/shared/schemas/trash.ts";
import type { SharedItem } from "../lib/shared/settings_data.ts";

/** A list of entries from many folders, with the server's data. */
export type Place =
  | { at: "recent"; items: RecentEntry[] }
  | { at: "shared"; shares: ListPage<SharedItem>; requests: ListPage<RequestInfo> }
  | { at: "sharedWithMe"; items: SharedWithMe[] }
  | { at: "trash"; first: TrashPage; query: string };

interface PlacesAreaProps {
  place: Place;
  clock: Clock;
}

/**
 * The content of the pages of recent files, of shares and of the trash. They are one island, as each
 * further one would split the scripts that all pages share into smaller parts.
 */
export function PlacesArea({ place, clock }: PlacesAreaProps) {
  const { t } = useTranslation();
  const api = useApi();
  return (
    <PageShell
      title={place.at === "trash" ? t("trash.title") : t(`places.${place.at}`)}
      sidebar={<PageSidebar at={place.at} onSignOut={() => void api.signOut()} />}
      isList
    >
      {listOf(place, clock)}
    </PageShell>
  );
}

function listOf(place: Place, clock: Clock): ReactNode {
  switch (place.at) {
    case "recent":
      return <RecentList items={place.items} clock={clock} />;
    case "sharedWithMe":
      return <SharedWithList items={place.items} clock={clock} />;
    case "trash":
      return <TrashList first={place.first} query={place.query} clock={clock} />;
    case "shared":
      return (
        <OwnShares shares={place.shares} clock={clock}>
          {!isEmptyList(place.requests) && (
            <div className="settings">
              <RequestsTable requests={place.requests} clock={clock} own />
            </div>
          )}
        </OwnShares>
      );
  }
}
