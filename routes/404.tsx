import { page } from "fresh";
import { ErrorPage } from "../components/ErrorPage.tsx";
import { define } from "../lib/define.ts";
import { openPage } from "../lib/pages/open_page.ts";

export const handler = define.handlers({
  async GET(ctx) {
    return page({ page: await openPage(ctx) }, { status: 404 });
  },
});

export default define.page<typeof handler>(function Page404({ data }) {
  return <ErrorPage page={data.page} status={404} />;
});
