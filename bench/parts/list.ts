import { curl } from "../commands.ts";
import type { Target } from "../set_up.ts";

/** Seconds that curl takes for a listing of the folder with so many entries. */
export function list({ server, token }: Target, count: number, query = ""): Promise<number> {
  return curl(`${server.url}/api/resources/of-${count}/${query}`, "--header", `X-Auth: ${token}`);
}
