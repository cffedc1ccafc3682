import { curl } from "./commands.ts";
import { race, secondsOf } from "./race.ts";
import { bigFile, type Stage, type Target } from "./stage.ts";
import { atMost, duration, type Row } from "./table.ts";

/** One big file, to one client and to eight at once, against nginx with sendfile. */
export async function measureDownload(stage: Stage): Promise<Row[]> {
  return [
    ...await rows(stage, 1, (ratio) => atMost(ratio, 1.8, "1.8x")),
    ...await rows(stage, 8, (ratio) => atMost(ratio, 1.25, "1.25x")),
  ];
}

async function rows(
  { one, many, nginx, rounds, bigSize }: Stage,
  clients: number,
  target: (ratio: number) => Row["target"],
): Promise<Row[]> {
  const ours = [one, many].map((served) => ({
    name: served.name,
    run: () => download(clients, ...ourRequest(served)),
  }));
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
