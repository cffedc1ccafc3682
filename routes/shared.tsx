import { define } from "../lib/server/http/define.ts";
import { requestList } from "../lib/server/http/request/file_requests.ts";
import { listPage } from "../lib/server/http/request/lists/list.ts";
import { ownShareList } from "../lib/server/http/request/lists/share_lists.ts";
import { FIRST_ITEMS } from "../lib/shared/list_page.ts";
import { placeHandlers, PlacePage } from "./(_pages)/PlacePage.tsx";

/** The user's own shares and requests. */
export const handler = placeHandlers(async (ctx, { user }) => {
  const limit = FIRST_ITEMS;
  const shares = await listPage(ctx, ownShareList(ctx), { limit });
  const mine = requestList(ctx, user, { own: true });
  const requests = await listPage(ctx, mine, { limit, name: "requests-" });
  return { at: "shared", shares, requests };
}, "share");

/** The page of links that the user has made, to be copied and ended. */
export default define.page<typeof handler>(function SharedPage({ data }) {
  return <PlacePage {...data} />;
});
