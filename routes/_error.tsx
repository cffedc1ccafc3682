import { ErrorPage } from "../components/ErrorPage.tsx";
import { define } from "../lib/define.ts";
import { apiErrorOr, logUnexpected } from "../lib/http/api_error.ts";
import { errorStatus } from "../lib/http/error_status.ts";
import { openPage } from "../lib/pages/open_page.ts";

/** Something went wrong: an error of the API, or a page. */
export const handler = define.handlers((ctx) =>
  apiErrorOr(ctx, async () => {
    logUnexpected(ctx);
    const status = errorStatus(ctx.error);
    const page = await openPage(ctx);
    return ctx.render(<ErrorPage page={page} status={status} />, { status });
  })
);
