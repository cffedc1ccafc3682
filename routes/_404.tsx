import { ErrorPage } from "../components/ErrorPage.tsx";
import { define } from "../lib/define.ts";
import { apiErrorOr } from "../lib/http/api_error.ts";
import { openPage } from "../lib/pages/open_page.ts";

/** Nothing is at this address: an error of the API, or a page. */
export const handler = define.handlers((ctx) =>
  apiErrorOr(ctx, async () => {
    const page = await openPage(ctx);
    return ctx.render(<ErrorPage page={page} status={404} />, { status: 404 });
  })
);
