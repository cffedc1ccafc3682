import { has, run } from "../commands.ts";
import { keepAliveRate } from "../keep_alive.ts";
import { race } from "../race.ts";
import type { Setup } from "../set_up.ts";
import { rate, type Row } from "../table.ts";

const connections = 32;
const seconds = 3;

/** Requests a second of the smallest answer and of a listing, 32 connections. */
export async function measureRequests(setup: Setup): Promise<Row[]> {
  const [small = 50] = setup.folders;
  return [
    ...await rows(setup, "/health", "/health", "/health", "`return 200`"),
    ...await rows(
      setup,
      `listing of ${small}`,
      `/api/resources/of-${small}/`,
      `/of-${small}/`,
      "autoindex",
    ),
  ];
}

async function rows(
  { one, many, nginx, rounds }: Setup,
  what: string,
  path: string,
  theirPath: string,
  how: string,
): Promise<Row[]> {
  const contenders = [one, many].map(({ name, server, token }) => ({
    name: `${what}, ${name}`,
    run: () => requestsPerSecond(`${server.url}${path}`, token),
  }));
  const theirs = nginx
    ? [{ name: `${what}, nginx`, run: () => requestsPerSecond(`${nginx.url}${theirPath}`) }]
    : [];
  const results = await race([...contenders, ...theirs], rounds);
  const baseline = results[contenders.length];
  return contenders.map(({ name }, index) => {
    const result = results[index] ?? NaN;
    const row: Row = { what: `requests/s: ${name}`, cubby: rate(result) };
    if (baseline === undefined) return row;
    return { ...row, against: `nginx ${how} ${rate(baseline)}`, ratio: baseline / result };
  });
}

async function requestsPerSecond(url: string, token = "none"): Promise<number> {
  if (has("wrk")) {
    return await wrkRate(url, [`X-Auth: ${token}`], connections);
  }
  if (has("ab")) {
    const load = ["-q", "-k", "-c", `${connections}`, "-t", `${seconds}`, "-n", "10000000"];
    const report = await run("ab", ...load, "-H", `X-Auth: ${token}`, url);
    return reading(report, /Requests per second:\s+([\d.]+)/, /Non-2xx/);
  }
  return await keepAliveRate(url, token, connections, seconds);
}

/** Requests a second by wrk. @param more arguments for it */
export async function wrkRate(
  url: string,
  headers: readonly string[],
  connections: number,
  more: readonly string[] = [],
): Promise<number> {
  const load = ["-t1", `-c${connections}`, `-d${seconds}s`, "--timeout", "30s", ...more];
  const told = headers.flatMap((header) => ["-H", header]);
  const report = await run("wrk", ...load, ...told, url);
  return reading(report, /Requests\/sec:\s+([\d.]+)/, /Non-2xx/);
}

function reading(report: string, pattern: RegExp, refusal: RegExp): number {
  const found = pattern.exec(report)?.[1];
  if (!found || refusal.test(report)) throw new Error(`Cannot trust the measure:\n${report}`);
  return Number(found);
}
