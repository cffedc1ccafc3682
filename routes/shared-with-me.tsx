import { define } from "../lib/server/http/define.ts";
import { sharedWithMe } from "../lib/server/http/request/share_requests.ts";
import { placeHandlers, PlacePage } from "./(_pages)/PlacePage.tsx";

/** The shares for the user. */
export const handler = placeHandlers(async (ctx) => {
  return { at: "sharedWithMe", items: await sharedWithMe(ctx) };
});

/** The page of shares that are for the user, each to be opened. */
export default define.page<typeof handler>(function SharedWithMePage({ data }) {
  return <PlacePage {...data} />;
});
