import { App, staticFiles } from "fresh";
import type { Cubby } from "./cubby.ts";
import type { State } from "./define.ts";

/** The application: what is open is put at hand, then static files, then the file routes. */
export function createApp(cubby: Cubby): App<State> {
  return new App<State>({ basePath: cubby.config.baseUrl })
    .use(function provideCubby(ctx) {
      ctx.state.cubby = cubby;
      return ctx.next();
    })
    .use(staticFiles())
    .fsRoutes();
}
