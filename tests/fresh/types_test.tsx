import assert from "node:assert/strict";
import {
  App,
  type Context,
  createDefine,
  type FreshContext,
  type HandlerByMethod,
  HttpError,
  type Middleware,
  page,
  type PageProps,
  type PageResponse,
  type RouteConfig,
  type RouteData,
  type RouteHandler,
  staticFiles,
} from "fresh";
import { Builder } from "fresh/dev";

interface State {
  user: string;
}

/** Compiles only when both types are the same. */
type Same<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true
  : false;

/** The check is made by the compiler; at run time there is nothing left to do. */
function same<A, B>(..._check: Same<A, B> extends true ? [] : ["the types differ"]): void {}

const define = createDefine<State>();

Deno.test("the data of a page is what its handlers return", () => {
  const handler = define.handlers({
    GET(ctx) {
      same<typeof ctx, Context<State>>();
      return page({ title: ctx.state.user, count: 1 });
    },
    async POST(ctx) {
      await Promise.resolve();
      return ctx.redirect("/");
    },
  });
  const Page = define.page<typeof handler>(function Page({ data, state, params, url }) {
    same<typeof data, { title: string; count: number }>();
    same<typeof state, State>();
    same<typeof params, Record<string, string>>();
    return <p>{data.title}{url.pathname}</p>;
  });
  assert.equal(typeof Page, "function");
  same<RouteData<RouteHandler<number, unknown>>, number>();
});

Deno.test("a handler for all methods gives its data too, and may be async", () => {
  const handler = define.handlers(async (ctx) => {
    await Promise.resolve();
    return ctx.state.user === "" ? new Response() : page([1, 2]);
  });
  define.page<typeof handler>(({ data }) => {
    same<typeof data, number[]>();
    return <p>{data.length}</p>;
  });
});

Deno.test("a page may be async and answer with a response", () => {
  define.page(async ({ state }) => {
    await Promise.resolve();
    return state.user === "" ? new Response() : <p />;
  });
  define.layout(({ Component, data }) => {
    same<typeof data, unknown>();
    return <Component />;
  });
});

Deno.test("a handler is held to the type of data that it is given", () => {
  define.handlers<{ slug: string }>({
    GET: () => page({ slug: "a" }),
    // @ts-expect-error the slug is missing
    POST: () => page({}),
  });
  const typed: HandlerByMethod<number, State> = { GET: () => page(1) };
  assert.deepEqual(Object.keys(typed), ["GET"]);
});

Deno.test("middlewares know the state, alone and in a list", () => {
  const one = define.middleware((ctx) => {
    ctx.state.user = "a";
    return ctx.next();
  });
  const list = define.middleware([one, async (ctx) => await ctx.next()]);
  const typed: Middleware<State>[] = list;
  const app = new App<State>().use(staticFiles()).use(...typed).use("/a", one);
  assert.ok(app instanceof App);
});

Deno.test("page() without data is a page of undefined", () => {
  same<ReturnType<typeof page>, PageResponse<undefined>>();
  const withStatus = page(undefined, { status: 404 });
  assert.deepEqual(withStatus, { data: undefined, headers: undefined, status: 404 });
});

Deno.test("the status of an HttpError is an error status", () => {
  // @ts-expect-error 200 is no error
  assert.equal(new HttpError(200).status, 200);
  const error = new HttpError(404, "none", { cause: "why" });
  assert.deepEqual([error.name, error.message, error.cause], ["HttpError", "none", "why"]);
});

Deno.test("a builder takes an application of any state", () => {
  const builder = new Builder({ staticDir: ["a", "b"] });
  const listen = (app: App<State>) => builder.listen(() => Promise.resolve({ app }));
  assert.equal(typeof listen, "function");
});

Deno.test("the names that applications import are there", () => {
  same<FreshContext<State>, Context<State>>();
  const config: RouteConfig = { routeOverride: "/a", skipAppWrapper: true, methods: ["GET"] };
  const Component = ({ url }: PageProps<string, State>) => <p>{url.href}</p>;
  assert.ok(config && Component);
});
