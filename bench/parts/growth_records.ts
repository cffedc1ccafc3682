import { join } from "node:path";
import { openSigningKey } from "../../lib/server/features/accounts/auth/signing_key.ts";
import { openPasswords } from "../../lib/server/features/accounts/passwords/passwords.ts";
import { append } from "../../lib/server/features/audit/audit.ts";
import type { TimedActivity } from "../../lib/server/features/audit/record.ts";
import { runCommand } from "../../lib/server/cli/run_command.ts";
import { trashName } from "../../lib/server/core/access/names.ts";
import { openStore, type Store } from "../../lib/server/core/kv/store.ts";
import {
  makeTrashId,
  type TrashedEntry,
  trashRecords,
} from "../../lib/server/files/trash/trash_records.ts";
import { parsePath, ROOT } from "../../lib/shared/path.ts";
import {
  inBatches,
  plantShares,
  plantUsers,
  sharedFile,
} from "../../tests/support/data/many_records.ts";
import { plant, temporaryFolder } from "../../tests/support/disks/files.ts";
import { type RunningServer, startServer } from "../../tests/support/server/server.ts";
import { run } from "../commands.ts";
import { type Figure, type Growing, keepFigures, printFigures } from "../growth_figures.ts";
import { memoryOf } from "../memory.ts";
import { median, secondsOf } from "../race.ts";
import { signIn } from "../set_up.ts";

/** A server with planted records. */
interface Server extends RunningServer {
  /** Of the administrator's session. */
  token: string;
  /** Sends a request as the administrator, and returns the body of the answer. */
  ask(path: string, method?: string, body?: unknown): Promise<string>;
}

/** Something that people do. @param time tells one time from another, from 0 on */
type Call = (time: number) => Promise<unknown>;

/** What grows, and what is done. */
interface Growth {
  over: Growing;
  sizes: readonly number[];
  plant(store: Store, count: number, root: string): Promise<void>;
  /** Those whose names begin with "all" are made once, and come last. */
  calls(server: Server, count: number): Record<string, Call>;
}

/** How often each call is made. */
const rounds = 7;

/** Sign-ins, lists and changes of users, from 1 to 20,000. */
export function measureUsers(isQuick: boolean): Promise<void> {
  const password = "ten thousand otters";
  const nameOf = (id: number) => `user ${String(id).padStart(6, "0")}`;
  return measure(isQuick, {
    over: "users",
    sizes: [1, 20, 200, 2_000, 20_000],
    async plant(store, count) {
      const passwords = await openPasswords();
      await plantUsers(store, count, await passwords.hash(password));
      passwords.close();
    },
    calls({ ask, url, password: own }, count) {
      // Users have the ids from 2 on.
      const id = (time: number) => 2 + time * 7_919 % count;
      const change = (data: object, which: string[]) => ({
        ...{ what: "user", which, data, current_password: own },
      });
      return {
        "sign in": (time) =>
          asked(`${url}/api/login`, {
            method: "POST",
            body: JSON.stringify({ username: nameOf(id(time)), password }),
          }),
        "first 50": () => ask("/api/users?limit=50"),
        "50 in the middle": () => ask(`/api/users?limit=50&after=${Math.ceil(count / 2)}`),
        "search by name": (time) => ask(`/api/users?limit=8&query=${encodeURI(nameOf(id(time)))}`),
        "the page": () => ask("/settings/users"),
        "one of them": (time) => ask(`/api/users/${id(time)}`),
        "change one": (time) =>
          ask(
            `/api/users/${id(time)}`,
            "PUT",
            change({ locale: time % 2 ? "de" : "en" }, ["locale"]),
          ),
        "add one": (time) =>
          ask("/api/users", "POST", change({ username: `new ${time}`, password }, [])),
        "all, one answer": () => ask("/api/users"),
      };
    },
  });
}

/** Lists, visits and changes of shares, from 1 to 50,000: half of them lead to one file. */
export function measureShares(isQuick: boolean): Promise<void> {
  return measure(isQuick, {
    over: "shares",
    sizes: [1, 50, 500, 5_000, 50_000],
    async plant(store, count, root) {
      await plant(root, { d: { "shared.txt": "shared" }, other: { "a.txt": "a" }, many: {} });
      await plantShares(store, count);
    },
    calls({ ask, url }, count) {
      // The even ones lead to the file.
      const hash = (number: number) => `planted${String(number).padStart(15, "0")}`;
      const even = (time: number) => Math.floor(time * 7_919 % count / 2) * 2;
      const made: string[] = [];
      return {
        "visit one": (time) => asked(`${url}/api/public/share/${hash(even(time))}`),
        "first 50": () => ask("/api/shares?limit=50"),
        "50 in the middle": () => ask(`/api/shares?limit=50&after=${hash(count >> 1)}`),
        "first 50 of a file": () => ask(`/api/share${sharedFile}?limit=50`),
        "search by path": () => ask("/api/shares?limit=50&query=nowhere"),
        "the page": () => ask("/settings/shares"),
        "list a folder": () => ask("/api/resources/d/"),
        "share a file": async (time) => {
          made[time] = JSON.parse(await ask("/api/share/other/a.txt", "POST", {})).hash;
        },
        "end a share": (time) => ask(`/api/share/${made[time]}`, "DELETE"),
        "move the file": (time) => {
          const [from, to] = time % 2 ? ["/other/s.txt", sharedFile] : [sharedFile, "/other/s.txt"];
          return ask(`/api/resources${from}?action=rename&destination=${to}`, "PATCH");
        },
        "all, one answer": () => ask("/api/shares"),
      };
    },
  });
}

/** The trash listed, used and emptied, from 1 to 100,000 entries. */
export function measureTrash(isQuick: boolean): Promise<void> {
  let ids: string[] = [];
  return measure(isQuick, {
    over: "trash",
    sizes: [1, 100, 1_000, 10_000, 100_000],
    async plant(store, count, root) {
      await plant(root, {
        d: Object.fromEntries(Array.from({ length: rounds }, (_, at) => [`${at}`, ""])),
      });
      ids = await plantTrashed(store, count, root);
    },
    calls({ ask, url, token }, count) {
      // Those that the calls themselves delete.
      const places: string[] = [];
      const placeOf = (time: number) => places[time] ?? "";
      const remove: Call = async (time) => {
        const headers = { "x-auth": token };
        const path = `${url}/api/resources/d/${time}?trash=true`;
        const answer = await fetch(path, { method: "DELETE", headers });
        await answer.body?.cancel();
        places[time] = answer.headers.get("content-location") ?? "";
      };
      return {
        "latest 50": () => ask("/api/trash?limit=50"),
        "50 in the middle": () => ask(`/api/trash?limit=50&before=${ids[count >> 1]}`),
        "search by name": () => ask("/api/trash?limit=50&query=nothing"),
        "versions of a file": () => ask("/api/trash?versions=/d/0"),
        "the page": () => ask("/trash"),
        "delete a file": remove,
        "restore one": (time) => ask(placeOf(time), "POST"),
        "delete it again": remove,
        "delete for good": (time) => ask(placeOf(time), "DELETE"),
        "usage of all": () => ask("/api/trash/usage"),
        "all emptied": () => ask("/api/trash", "DELETE"),
      };
    },
  });
}

/** Real files in the trash of the administrator, with their records. */
async function plantTrashed(store: Store, count: number, root: string): Promise<string[]> {
  const trash = join(root, trashName);
  await Deno.mkdir(trash, { mode: 0o700 });
  const end = Date.now() - 120_000;
  const ids: string[] = [];
  await inBatches(store, count, (operation, index) => {
    const at = end - (count - index) * 10;
    const id = ids[index] ??= makeTrashId(at);
    const file = join(trash, id, `file-${index}.txt`);
    Deno.mkdirSync(join(trash, id), { mode: 0o700, recursive: true });
    Deno.writeTextFileSync(file, `${index}`);
    const entry: TrashedEntry = {
      ...{ id, userId: 1, path: parsePath(`/gone/file-${index}.txt`).path, isDir: false },
      ...{ size: `${index}`.length, at, top: ROOT, ino: Deno.statSync(file).ino },
    };
    trashRecords.put(operation, [1, id], entry);
  });
  return ids;
}

/** The log of activities read, searched and verified, from 1 to 100,000. */
export function measureActivities(isQuick: boolean): Promise<void> {
  const hour = 3_600_000;
  const last = Date.now() - hour;
  const timeOf = (number: number, count: number) => last - (count - number) * 1_000;
  return measure(isQuick, {
    over: "activities",
    sizes: [1, 100, 1_000, 10_000, 100_000],
    async plant(store, count, root) {
      await plant(root, { f: { "often.txt": "" }, new: {} });
      await plantActivities(store, count, (number) => timeOf(number, count));
    },
    calls({ ask, data, root, password }, count) {
      const middle = new Date(timeOf(count >> 1, count)).toISOString();
      const settings = { audit: { level: "changes", days: 365 }, current_password: password };
      return {
        "begin the log": () => ask("/api/settings", "PUT", settings),
        "latest 50": () => ask("/api/audit?limit=50"),
        "of a user": () => ask("/api/audit?limit=50&user=user%207"),
        "until a time": () => ask(`/api/audit?limit=50&until=${middle}`),
        "a rare action": () => ask("/api/audit?limit=50&action=extract"),
        "the page": () => ask("/settings/activity"),
        "history of a file": () => ask("/api/history/f/often.txt"),
        "a recorded call": (time) => ask(`/api/resources/new/${time}/`, "POST"),
        "all exported": () => ask("/api/audit/export"),
        "all verified": () => command(["audit", "verify"], data, root),
      };
    },
  });
}

async function plantActivities(
  store: Store,
  count: number,
  timeOf: (number: number) => number,
): Promise<void> {
  const key = await openSigningKey(store);
  const actions = ["upload", "save", "move", "share_add", "signin"] as const;
  for (let start = 0; start < count;) {
    const activities = Array.from({ length: Math.min(200, count - start) }, (_, at) => {
      const number = start + at;
      const user = number % 100;
      const activity: TimedActivity = {
        action: actions[number % actions.length] ?? "save",
        user: { id: user, name: `user ${user}` },
        address: "192.0.2.1",
        // Each hundredth is about one file.
        path: number % 100 === 1 ? "/f/often.txt" : `/f/file-${number}.txt`,
        ...number % actions.length === 2 && { to: `/g/file-${number}.txt` },
        at: timeOf(number),
      };
      return activity;
    });
    start += (await append({ store, key }, activities)).count;
  }
}

async function command(args: string[], data: string, cwd: string): Promise<void> {
  const lines: string[] = [];
  const note = (line: string) => void lines.push(line);
  const env = new Map([["FB_DATABASE", join(data, "cubby.kv")], ["FB_ROOT", cwd]]);
  const status = await runCommand(args, { env, cwd, print: note, warn: note });
  if (status !== 0) throw new Error(lines.join("\n"));
}

async function measure(
  isQuick: boolean,
  { over, sizes, plant, calls }: Growth,
): Promise<void> {
  const times = isQuick ? 1 : rounds;
  const figures: Figure[] = [];
  for (const count of isQuick ? sizes.slice(0, 3) : sizes) {
    await using folder = await temporaryFolder();
    const [root, data] = [join(folder.path, "root"), join(folder.path, "data")];
    {
      // The first start makes the store and its administrator.
      await using _first = await startServer({ root, data });
    }
    const store = await openStore(join(data, "cubby.kv"));
    await plant(store, count, root);
    store.close();
    // So that no call waits for the disk to take what was planted.
    await run("sync");
    const begun = performance.now();
    await using running = await startServer({ root, data, command: ["task", "start"] });
    const add = (line: string, y: number) =>
      figures.push({ over, what: "time", line, x: count, y });
    add("start", (performance.now() - begun) / 1000);
    const server = await signedIn(running);
    for (const [line, call] of Object.entries(calls(server, count))) {
      const taken: number[] = [];
      const isOnce = line.startsWith("all");
      for (let time = 0; time < (isOnce ? 1 : times); time++) {
        taken.push(await secondsOf(() => call(time)));
      }
      add(line, median(taken));
    }
    figures.push({ over, what: "memory", line: "memory", x: count, y: memoryOf(running.pid) });
  }
  await keepFigures(figures, isQuick);
  await printFigures(over, isQuick);
}

async function signedIn(server: RunningServer): Promise<Server> {
  const token = await signIn(server);
  return {
    ...server,
    token,
    ask: (path, method = "GET", body) =>
      asked(server.url + path, {
        method,
        headers: { "x-auth": token, cookie: `auth=${token}` },
        body: body === undefined ? undefined : JSON.stringify(body),
      }),
  };
}

async function asked(url: string, options: RequestInit = {}): Promise<string> {
  const answer = await fetch(url, options);
  const text = await answer.text();
  if (answer.ok) return text;
  throw new Error(`Cannot trust the measure: ${url}: ${answer.status} ${text.slice(0, 300)}`);
}
