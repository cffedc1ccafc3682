/** The kinds of work that the soak mixes, each by the calls that its client would send. */
import { join } from "node:path";
import { plant, plantBytes } from "../../tests/support/disks/files.ts";
import { quarters } from "../../tests/support/data/pictures.ts";
import type { RunningServer } from "../../tests/support/server/server.ts";
import { signIn } from "../set_up.ts";

/** One client's own folder, and the number of its works so far, for names. */
export interface Client {
  folder: string;
  count: number;
}

/** A kind of work. */
export interface Kind {
  name: string;
  /** How often it is done among {@linkcode deckSize} works. */
  share: number;
  work(client: Client): Promise<void>;
}

/** The number of works after which a client has done each kind as often as its share says. */
export const deckSize = 100;

/** The flags that the works need. */
export const flags = ["--webdav"];

const pictures = 40;
const listed = 1_500;
const text = "The cub naps beside the river.\n".repeat(550);

/** Where a client works. */
export function folderOf(index: number): string {
  return `clients/${index}`;
}

/** Fills the root with what the works read, and folders for so many clients. */
export async function plantRoot(root: string, clients: number): Promise<void> {
  for (let index = 0; index < clients; index++) {
    await Deno.mkdir(join(root, folderOf(index)), { recursive: true });
  }
  const names = Array.from({ length: listed }, (_, n) => [`${n} item.txt`, text]);
  await plant(root, { many: Object.fromEntries(names), pictures: {} });
  await plantBytes(join(root, "large.bin"), 64 * 2 ** 20);
  for (let index = 0; index < pictures; index++) {
    const file = join(root, "pictures", `${index}.jpg`);
    await quarters(1_200 + index, 800).jpeg().toFile(file);
  }
}

/** The kinds of work on a server whose root {@linkcode plantRoot} filled. */
export async function kindsOf(server: RunningServer): Promise<Kind[]> {
  const token = await signIn(server);
  const picture = await quarters(1_600, 1_200).jpeg().toBuffer();
  const { token: davToken } = JSON.parse(
    (await ask("POST", "/api/tokens", {
      body: JSON.stringify({
        name: "soak",
        write: true,
        current_password: server.password,
      }),
    })).text,
  );
  const basic = { authorization: `Basic ${btoa(`soak:${davToken}`)}`, "x-auth": "" };

  /** Asks and reads the whole answer. @throws Error for a status other than these */
  async function ask(
    method: string,
    path: string,
    init: { headers?: Record<string, string>; body?: BodyInit; token?: string } = {},
    ...expected: number[]
  ): Promise<{ text: string; headers: Headers }> {
    const { body, token: own = token } = init;
    const headers = new Headers({ "x-auth": own, ...init.headers });
    if (headers.get("x-auth") === "") headers.delete("x-auth");
    const answer = await fetch(server.url + path, { method, headers, body });
    const bytes = await answer.bytes();
    const isRight = expected.length > 0 ? expected.includes(answer.status) : answer.ok;
    if (!isRight) throw new Error(`${method}: ${answer.status} ${decode(bytes.subarray(0, 200))}`);
    return { text: bytes.length < 100_000 ? decode(bytes) : "", headers: answer.headers };
  }

  async function get(path: string, headers?: Record<string, string>): Promise<void> {
    await ask("GET", path, { headers });
  }

  async function upload(path: string): Promise<void> {
    await ask("POST", `/api/resources/${path}?override=true`, { body: text });
  }

  /** A picture that no preview is kept of: its time is another one. */
  async function newPreviews({ folder, count }: Client): Promise<void> {
    const path = `${folder}/picture-${count % 20}.jpg`;
    await ask("POST", `/api/resources/${path}?override=true`, { body: new Blob([picture]) });
    await get(`/api/preview/thumb/${path}?k=${count}`);
    await get(`/api/preview/big/${path}?k=${count}`);
  }

  async function shuffle({ folder, count }: Client): Promise<void> {
    const [from, to] = [`${folder}/copy-${count}.jpg`, `${folder}/moved-${count}.jpg`];
    const at = `/api/resources/pictures/${some(pictures)}.jpg`;
    await ask("PATCH", `${at}?action=copy&destination=/${from}`);
    await ask("PATCH", `/api/resources/${from}?action=rename&destination=/${to}`);
    await ask("DELETE", `/api/resources/${to}?trash=${count % 2 === 0}`);
  }

  async function makeAndRemove({ folder, count }: Client): Promise<void> {
    await ask("POST", `/api/resources/${folder}/made-${count}/deep/`);
    await upload(`${folder}/made-${count}/deep/file.txt`);
    await ask("DELETE", `/api/resources/${folder}/made-${count}/`);
  }

  async function uploadInParts({ folder, count }: Client): Promise<void> {
    const path = `/api/tus/${folder}/parts-${count % 20}.txt?override=true`;
    const begun = { "upload-length": String(text.length) };
    const { headers } = await ask("POST", path, { headers: begun }, 201);
    const location = new URL(headers.get("location") ?? path, server.url);
    const half = text.length / 2;
    for (const start of [0, half]) {
      const part = {
        "upload-offset": String(start),
        "content-type": "application/offset+octet-stream",
      };
      const body = text.slice(start, start + half);
      await ask("PATCH", location.pathname + location.search, { headers: part, body }, 204);
    }
  }

  /** Copies ten pictures by a job, and undoes it. */
  async function copyAndUndo({ folder, count }: Client): Promise<void> {
    const entries = Array.from({ length: 10 }, (_, index) => ({
      path: `/pictures/${(count + index) % pictures}.jpg`,
      destination: `/${folder}/job-${count}-${index}.jpg`,
    }));
    const body = JSON.stringify({ action: "copy", entries });
    const waiting = { prefer: "wait=60", "content-type": "application/json" };
    const { id } = await ended(
      await ask("POST", "/api/jobs", { headers: waiting, body }, 200, 202),
    );
    await ended(await ask("POST", `/api/jobs/${id}/undo`, { headers: waiting }, 200, 202));
  }

  /** Waits for a job that goes on after its answer, as on a machine with other work. */
  async function ended({ text }: { text: string }): Promise<{ id: string }> {
    const job = JSON.parse(text);
    if (job.ended !== null) return job;
    return await ended(await ask("GET", `/api/jobs/${job.id}`, { headers: { prefer: "wait=60" } }));
  }

  async function driveByDav({ folder, count }: Client): Promise<void> {
    const path = `/dav/${folder}/dav-${count % 20}.txt`;
    await ask("PUT", path, { headers: basic, body: text }, 201, 204);
    await ask("PROPFIND", `/dav/pictures/`, { headers: { ...basic, depth: "1" } }, 207);
    await ask("GET", path, { headers: basic });
    await ask("DELETE", path, { headers: basic }, 204);
  }

  async function shareAndVisit(): Promise<void> {
    const path = `/api/share/pictures/${some(pictures)}.jpg`;
    const { hash } = JSON.parse((await ask("POST", path, { body: "{}" })).text);
    await ask("GET", `/api/public/share/${hash}`, { token: "" });
    await ask("GET", `/api/public/dl/${hash}`, { token: "" });
    await ask("DELETE", `/api/share/${hash}`);
  }

  async function leaveDownload(): Promise<void> {
    const aborter = new AbortController();
    const init = { headers: { "x-auth": token }, signal: aborter.signal };
    const answer = await fetch(`${server.url}/api/raw/large.bin`, init);
    const reader = answer.body?.getReader();
    await reader?.read();
    aborter.abort();
  }

  /** Closes the connection after half of the announced bytes. */
  async function leaveUpload({ folder, count }: Client): Promise<void> {
    const { hostname, port } = new URL(server.url);
    using connection = await Deno.connect({ hostname, port: Number(port) });
    const head = `POST /api/resources/${folder}/cut-${count % 20}.txt?override=true HTTP/1.1\r\n` +
      `host: ${hostname}:${port}\r\nx-auth: ${token}\r\ncontent-length: ${text.length * 2}\r\n\r\n`;
    await new Response(head + text).body?.pipeTo(connection.writable, { preventClose: true });
  }

  async function watchASecond({ folder }: Client): Promise<void> {
    const aborter = new AbortController();
    const init = { headers: { "x-auth": token }, signal: aborter.signal };
    const answer = await fetch(`${server.url}/api/watch/${folder}`, init);
    // A user may watch a bounded number of folders at a time.
    if (answer.status === 429) return await answer.body?.cancel();
    if (!answer.ok) throw new Error(`watch: ${answer.status}`);
    const reader = answer.body?.getReader();
    await reader?.read();
    await new Promise((resolve) => setTimeout(resolve, 1_000));
    aborter.abort();
  }

  async function signInAndOut(): Promise<void> {
    const own = await signIn(server);
    await ask("GET", "/api/sessions", { token: own });
    await ask("POST", "/api/logout", { token: own });
    await ask("GET", "/api/sessions", { token: own }, 401);
  }

  const works: [share: number, name: string, work: Kind["work"]][] = [
    [16, "first 50 of 1,500", () => get("/api/resources/many?limit=50")],
    [4, "listing of 1,500", () => get("/api/resources/many")],
    [3, "page of 1,500", () => get("/files/many/", { cookie: `auth=${token}` })],
    [7, "listing of 40", () => get("/api/resources/pictures")],
    [11, "upload of 17 KB", ({ folder, count }) => upload(`${folder}/${count % 50}.txt`)],
    [6, "download of 1 MiB of 64", () => get("/api/raw/large.bin", { range: someMegabyte() })],
    [8, "thumbnail kept", () => get(`/api/preview/thumb/pictures/${some(pictures)}.jpg`)],
    [5, "previews made", newPreviews],
    [5, "search", () => get(`/api/search/?query=${some(1000)}%20item`)],
    [5, "copy, rename and delete", shuffle],
    [4, "folder made and deleted", makeAndRemove],
    [3, "upload in two parts", uploadInParts],
    [4, "job and undo", copyAndUndo],
    [4, "WebDAV", driveByDav],
    [2, "zip of 40 pictures", () => get("/api/raw/pictures?algo=zip")],
    [1, "tar.gz of 40 pictures", () => get("/api/raw/pictures?algo=targz")],
    [2, "share, visit, end of share", shareAndVisit],
    [4, "download cut off", leaveDownload],
    [3, "upload cut off", leaveUpload],
    [2, "watch for a second", watchASecond],
    [1, "signing in and out", signInAndOut],
  ];
  return works.map(([share, name, work]) => ({ share, name, work }));
}

function some(count: number): number {
  return Math.floor(Math.random() * count);
}

function someMegabyte(): string {
  const start = some(63) * 2 ** 20;
  return `bytes=${start}-${start + 2 ** 20 - 1}`;
}

function decode(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}
