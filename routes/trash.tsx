import { define } from "../lib/server/http/define.ts";
import { trashPage } from "../lib/server/http/request/trash_requests.ts";
import { FIRST_TRASHED } from "../lib/shared/list_page.ts";
import { placeHandlers, PlacePage } from "./(_pages)/PlacePage.tsx";

/** The user's own trash. */
export const handler = placeHandlers(async (ctx) => {
  const query = ctx.url.searchParams.get("query") ?? "";
  return { at: "trash", first: await trashPage(ctx, FIRST_TRASHED), query };
});

/** The page of the trash. */
export default define.page<typeof handler>(function TrashedPage({ data }) {
  return <PlacePage {...data} />;
});
