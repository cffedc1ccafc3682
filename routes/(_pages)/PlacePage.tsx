import type { Context } from "fresh";
import { page } from "fresh";
import { type Place, PlacesArea } from "../../islands/PlacesArea.tsx";
import type { SignedIn } from "../../lib/server/features/accounts/auth/session.ts";
import { define, type State } from "../../lib/server/http/define.ts";
import { guard, openSidebarPage } from "../../lib/server/http/pages/open_page.ts";
import { serverClock } from "../../lib/server/http/request/server_clock.ts";
import type { Clock } from "../../lib/shared/clock.ts";
import type { Page } from "../../lib/shared/page_data.ts";
import { SidebarPage } from "./SidebarPage.tsx";

/** The data of a page with a list of entries from many folders. */
interface PlaceContent {
  place: Place;
  page: Page;
  clock: Clock;
}

/**
 * The handler of such a page.
 *
 * @param read reads the list for a signed-in user
 * @param needs the right without which the page is refused
 */
export function placeHandlers(
  read: (ctx: Context<State>, signedIn: SignedIn) => Promise<Place>,
  needs?: "share",
) {
  return define.handlers({
    async GET(ctx) {
      const admitted = guard(ctx, needs);
      if (admitted instanceof Response) return admitted;
      const place = await read(ctx, admitted);
      const content: PlaceContent = {
        place,
        page: await openSidebarPage(ctx),
        clock: serverClock(ctx.req),
      };
      return page(content, { headers: { "cache-control": "no-store" } });
    },
  });
}

/** A page with a list of entries from many folders. */
export function PlacePage({ place, page, clock }: PlaceContent) {
  const { t } = page.i18n;
  const [title, skip] = place.at === "trash"
    ? [t("trash.title"), t("trash.skip")]
    : [t(`places.${place.at}`), t("places.skip")];
  return (
    <SidebarPage page={page} title={title} skip={skip}>
      <PlacesArea place={place} clock={clock} />
    </SidebarPage>
  );
}
