/** Stands in for the application where a test looks at connections alone. */

import { slowBody } from "../clients/slow_body.ts";

/** The listeners of this thread: the server opens them when this module has been loaded. */
const listeners: Deno.Listener[] = [];
const { listen } = Deno;
Reflect.set(Deno, "listen", (options: Deno.TcpListenOptions) => {
  const listener = listen(options);
  listeners.push(listener);
  return listener;
});

function echo(req: Request): Response {
  const { socket, response } = Deno.upgradeWebSocket(req);
  socket.addEventListener("message", ({ data }) => socket.send(data));
  return response;
}

async function answer(req: Request): Promise<Response> {
  const { pathname, search } = new URL(req.url);
  switch (pathname) {
    case "/slow":
      return new Response(slowBody(Number(search.slice(1))));
    case "/large":
      return new Response("x".repeat(Number(search.slice(1))));
    case "/length":
      return new Response(String((await req.bytes()).length));
    case "/echo":
      return echo(req);
    case "/end-listener":
      for (const listener of listeners) listener.close();
      return new Response("ended");
    default:
      return new Response("here");
  }
}

export default { fetch: answer };
