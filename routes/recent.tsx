import { define } from "../lib/server/http/define.ts";
import { recentOf } from "../lib/server/http/request/place_requests.ts";
import { placeHandlers, PlacePage } from "./(_pages)/PlacePage.tsx";

/** The files that the user has used last. */
export const handler = placeHandlers(async (ctx) => ({ at: "recent", items: await recentOf(ctx) }));

/** The page of files that were opened, uploaded or changed last. */
export default define.page<typeof handler>(function RecentPage({ data }) {
  return <PlacePage {...data} />;
});
