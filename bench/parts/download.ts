import { curl } from "../commands.ts";
import { race, secondsOf } from "../race.ts";
import { startOffloadingNginx } from "../../tests/support/services/nginx.ts";
import { startServer } from "../../tests/support/server/server.ts";
import { bigFile, type Setup, signIn, type Target } from "../set_up.ts";
import { atMost, duration, type Row } from "../table.ts";

/**
 * One big file, to one client and to eight at once, against nginx with sendfile: sent by the server
 * itself, and by nginx in its place.
 */
export async function measureDownload(setup: Setup): Promise<Row[]> {
  await using stack = new AsyncDisposableStack();
  const offloaded = setup.nginx && await startOffload(setup, stack);
  return [
    ...await rows(setup, offloaded, 1, (ratio) => atMost(ratio, 1.2, "1.2x")),
    ...await rows(setup, offloaded, 8, (ratio) => atMost(ratio, 1.1, "1.1x")),
  ];
}

/** A download by nginx with the sample of the offload, before a server of its own. */
async function startOffload(
  { root }: Setup,
  stack: AsyncDisposableStack,
): Promise<[string, ...string[]]> {
  const flags = ["--trusted-proxies", "127.0.0.1", "--offload", "nginx:/cubby-offload/"];
  const server = stack.use(await startServer({ root, flags }));
  const proxy = stack.use(await startOffloadingNginx(server.url, root));
  const token = await signIn(server);
  return [`${proxy.url}/api/raw/${bigFile}`, "--header", `X-Auth: ${token}`];
}

async function rows(
  { one, many, nginx, rounds, bigSize }: Setup,
  offloaded: [string, ...string[]] | null,
  clients: number,
  target: (ratio: number) => Row["target"],
): Promise<Row[]> {
  const ours = [one, many].map((served) => ({
    name: served.name,
    run: () => download(clients, ...ourRequest(served)),
  }));
  if (offloaded) ours.push({ name: "offload", run: () => download(clients, ...offloaded) });
  const theirs = nginx
    ? [{ name: "nginx", run: () => download(clients, `${nginx.url}/${bigFile}`) }]
    : [];
  const results = await race([...ours, ...theirs], rounds);
  const baseline = results[ours.length];
  const mebibytes = bigSize / 2 ** 20;
  const amount = clients === 1 ? "1 client" : `${clients} clients`;
  return ours.map(({ name }, index) => {
    const result = results[index] ?? NaN;
    const row = {
      what: `download of ${mebibytes} MiB, ${amount}, ${name}`,
      cubby: duration(result),
    };
    if (baseline === undefined) return row;
    const ratio = result / baseline;
    const against = `nginx sendfile ${duration(baseline)}`;
    return { ...row, against, ratio, target: index === 0 ? target(ratio) : undefined };
  });
}

function ourRequest({ server, token }: Target): [string, ...string[]] {
  return [`${server.url}/api/raw/${bigFile}`, "--header", `X-Auth: ${token}`];
}

/** Seconds until the last of the clients has all of it. */
async function download(clients: number, url: string, ...args: string[]): Promise<number> {
  if (clients === 1) return await curl(url, ...args);
  const all = Array.from({ length: clients }, () => url);
  return await secondsOf(() => Promise.all(all.map((each) => curl(each, ...args))));
}
