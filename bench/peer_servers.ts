/** The servers that people would use instead of Cubby, and how the benchmark asks each of them. */
import { dirname, join } from "node:path";
import { startServer } from "../tests/support/server/server.ts";
import { curlArgs, has, run, runQuietly } from "./commands.ts";
import { memoryOf, processorTimeOf } from "./memory.ts";
import { freePort, startNginx } from "./nginx.ts";
import { signIn } from "./set_up.ts";
import { type StartedProgram, startProgram } from "./start_program.ts";

/** A request as curl sends it. */
export interface PeerRequest {
  url: string;
  /** GET unless given. */
  method?: string;
  /** Further "Name: value". */
  headers?: readonly string[];
  body?: string;
}

/**
 * What a server is asked for; paths are below the root, encoded, without a slash at either end. A
 * member that is left out is something that the server cannot do.
 */
export interface Calls {
  list(folder: string): string;
  search?(folder: string, text: string): string;
  download(file: string): string;
  zip?(folder: string): PeerRequest;
  tarGz?(folder: string): string;
  thumbnail?(file: string): string;
  /** Sends the body of a request there; a file of that name is replaced. */
  upload: { method: "POST" | "PUT"; url(file: string): string };
  /** Where an upload in steps begins, by the tus protocol without its creation header. */
  tus?(file: string): string;
  copy?(from: string, to: string): PeerRequest;
  /** The address of a path over WebDAV, and its own headers. */
  dav?: { url(path: string): string; headers: readonly string[] };
  /** A sign-in by name and password, without the headers of a session. */
  signIn?: PeerRequest;
}

/** A running server. */
export interface PeerServer extends Calls, Omit<StartedProgram, "url"> {
  name: string;
  /** Headers of each request, as curl and wrk take them. */
  headers: readonly string[];
  /** Signs in anew, where sessions end during a run. */
  renew?(): Promise<void>;
  /** Calls that warm it up, as `Contender.warmUps`. */
  warmUps?: number;
}

/** A server that can be started. */
export interface Peer {
  name: string;
  /** A yardstick beside the file managers, not one of them. */
  isYardstick?: boolean;
  /** Program on PATH; none for Cubby itself. */
  program?: string;
  /** How to get it. */
  install?: string;
  /** @param folder an empty one for its own files */
  start(root: string, folder: string): Promise<Omit<PeerServer, "name">>;
}

const username = "admin";
const password = "a cub naps beside 7 rivers";
const basic = [`Authorization: Basic ${btoa(`${username}:${password}`)}`];
const source = "github.com";

/** In the order of the table. */
export const peers: readonly Peer[] = [
  { name: "Cubby", start: (root) => startCubby(root, 1) },
  { name: "Cubby, 2 workers", start: (root) => startCubby(root, 2) },
  {
    name: "File Browser",
    program: "filebrowser",
    install: `a release of ${source}/filebrowser/filebrowser; with Go, build the module ` +
      `${source}/filebrowser/filebrowser/v2 with any file in frontend/dist`,
    start: startFileBrowser,
  },
  {
    name: "Quantum",
    program: "quantum",
    install: `a release of ${source}/gtsteffaniak/filebrowser, under this name`,
    start: startQuantum,
  },
  { name: "dufs", program: "dufs", install: "cargo install dufs", start: startDufs },
  {
    name: "copyparty",
    program: "copyparty",
    install: "pip install copyparty pillow",
    start: startCopyparty,
  },
  { name: "rclone", program: "rclone", install: "apt install rclone", start: startRclone },
  {
    name: "SFTPGo",
    program: "sftpgo",
    install: `a release of ${source}/drakkan/sftpgo, or a link to its program in its folder`,
    start: startSftpgo,
  },
  {
    name: "nginx",
    isYardstick: true,
    program: "nginx",
    install: "apt install nginx",
    start: startNginxPeer,
  },
];

/** Those servers that this machine has. Says in a line how to get each of the others. */
export function peersHere(wanted: readonly Peer[] = peers): Peer[] {
  return wanted.filter(({ name, program, install }) => {
    if (program === undefined || has(program)) return true;
    console.error(`Without ${name}, which is not on PATH: ${install}`);
    return false;
  });
}

/** Starts a peer in a folder of its own in the given one. */
export async function startPeer(peer: Peer, root: string, folder: string): Promise<PeerServer> {
  const own = await Deno.makeTempDir({ dir: folder });
  return { ...await peer.start(root, own), name: peer.name };
}

/** Each thread compiles code for itself, and one connection reaches one of them by chance. */
const warmUpsByThread = 3;

async function startCubby(root: string, workers: number): Promise<Omit<PeerServer, "name">> {
  const begun = performance.now();
  const flags = ["--webdav", "--disable-media-programs=false"];
  const server = await startServer({ root, workers, command: ["task", "start"], flags });
  const startSeconds = (performance.now() - begun) / 1000;
  const { url, username, password } = server;
  const token = [`X-Auth: ${await signIn(server)}`];
  return {
    ...restCalls(url),
    headers: token,
    startSeconds,
    warmUps: workers === 1 ? 1 : workers * warmUpsByThread,
    memory: (kind) => memoryOf(server.pid, kind),
    processorTime: () => processorTimeOf(server.pid),
    dav: {
      url: (path) => `${url}/dav/${path}`,
      headers: [`Authorization: Basic ${btoa(`${username}:${password}`)}`],
    },
    signIn: jsonSignIn(`${url}/api/login`, username, password),
    [Symbol.asyncDispose]: async () => void await server.stop(),
  };
}

async function startFileBrowser(root: string, folder: string): Promise<Omit<PeerServer, "name">> {
  const database = ["--database", join(folder, "filebrowser.db")];
  await run("filebrowser", "config", "init", ...database);
  await run("filebrowser", "users", "add", username, password, "--perm.admin", ...database);
  const place = ["--cache-dir", join(folder, "cache"), "--root", root];
  const started = await startProgram("filebrowser", (port) => [
    ...database,
    ...place,
    ...["--address", "127.0.0.1", "--port", String(port)],
  ]);
  const signIn = jsonSignIn(`${started.url}/api/login`, username, password);
  const token = await textOf(signIn);
  return { ...started, ...restCalls(started.url), headers: [`X-Auth: ${token}`], signIn };
}

/** The interface of File Browser, which Cubby has as well. */
function restCalls(url: string): Calls {
  return {
    list: (folder) => `${url}/api/resources/${folder}/`,
    search: (folder, text) => `${url}/api/search/${folder}/?query=${text}`,
    download: (file) => `${url}/api/raw/${file}`,
    zip: (folder) => ({ url: `${url}/api/raw/${folder}/?algo=zip` }),
    tarGz: (folder) => `${url}/api/raw/${folder}/?algo=targz`,
    thumbnail: (file) => `${url}/api/preview/thumb/${file}`,
    upload: { method: "POST", url: (file) => `${url}/api/resources/${file}?override=true` },
    tus: (file) => `${url}/api/tus/${file}?override=true`,
    copy: (from, to) => ({
      method: "PATCH",
      url: `${url}/api/resources/${from}/?action=copy&destination=${encodeURIComponent(`/${to}/`)}`,
    }),
  };
}

async function startQuantum(root: string, folder: string): Promise<Omit<PeerServer, "name">> {
  const started = await startProgram("quantum", (port) => {
    const settings = {
      http: { port, listen: "127.0.0.1", disableRateLimit: true },
      server: {
        cacheDir: join(folder, "cache"),
        database: { path: join(folder, "quantum.db") },
        sources: [{ path: root, name: "root", config: { defaultEnabled: true } }],
        logging: [{ levels: "error", apiLevels: "error" }],
      },
      auth: { adminUsername: username, adminPassword: password },
    };
    const file = join(folder, "config.yaml");
    // JSON is YAML.
    Deno.writeTextFileSync(file, JSON.stringify(settings));
    return ["-c", file];
  }, { cwd: folder });
  const { url } = started;
  const signIn: PeerRequest = {
    method: "POST",
    url: `${url}/api/auth/login?username=${username}`,
    headers: [`X-Password: ${encodeURIComponent(password)}`],
  };
  const token = await textOf(signIn);
  const at = (call: string, path: string) => `${url}/api/${call}?source=root&path=/${path}`;
  const packed = (folder: string, algo: string) =>
    `${url}/api/resources/download?source=root&file=/${folder}/&algo=${algo}`;
  return {
    ...started,
    headers: [`Authorization: Bearer ${token}`],
    list: (folder) => at("resources", `${folder}/`),
    search: (folder, text) => `${url}/api/tools/search?scope=root:/${folder}/&query=${text}`,
    download: (file) => `${url}/api/resources/download?source=root&file=/${file}`,
    zip: (folder) => ({ url: packed(folder, "zip") }),
    tarGz: (folder) => packed(folder, "tar.gz"),
    thumbnail: (file) => `${at("resources/preview", file)}&size=small`,
    upload: { method: "POST", url: (file) => `${at("resources", file)}&override=true` },
    copy: (from, to) => ({
      method: "PATCH",
      url: `${url}/api/resources`,
      headers: ["Content-Type: application/json"],
      body: JSON.stringify({
        action: "copy",
        items: [{ fromSource: "root", fromPath: `/${from}/`, toSource: "root", toPath: `/${to}/` }],
      }),
    }),
    // The password there is a token.
    dav: {
      url: (path) => `${url}/dav/root/${path}`,
      headers: [`Authorization: Basic ${btoa(`${username}:${token}`)}`],
    },
    signIn,
  };
}

async function startDufs(root: string): Promise<Omit<PeerServer, "name">> {
  const started = await startProgram("dufs", (port) => [
    ...["--allow-all", "--compress", "none"],
    ...["--bind", "127.0.0.1", "--port", String(port), root],
  ]);
  const { url } = started;
  return {
    ...started,
    headers: [],
    list: (folder) => `${url}/${folder}/?json`,
    search: (folder, text) => `${url}/${folder}/?q=${text}&json`,
    download: (file) => `${url}/${file}`,
    zip: (folder) => ({ url: `${url}/${folder}/?zip` }),
    upload: { method: "PUT", url: (file) => `${url}/${file}` },
    dav: { url: (path) => `${url}/${path}`, headers: [] },
  };
}

async function startCopyparty(root: string, folder: string): Promise<Omit<PeerServer, "name">> {
  const started = await startProgram("copyparty", (port) => [
    ...["-q", "-i", "127.0.0.1", "-p", String(port), "--hist", join(folder, "copyparty")],
    ...["-v", `${root}::A`, "--daw"],
  ], { env: { HOME: folder } });
  const { url } = started;
  return {
    ...started,
    headers: [],
    list: (folder) => `${url}/${folder}/?ls`,
    download: (file) => `${url}/${file}`,
    zip: (folder) => ({ url: `${url}/${folder}/?zip=utf8` }),
    tarGz: (folder) => `${url}/${folder}/?tar=gz`,
    thumbnail: (file) => `${url}/${file}?th=w`,
    upload: { method: "PUT", url: (file) => `${url}/${file}` },
    copy: (from, to) => ({ method: "POST", url: `${url}/${from}?copy=/${to}` }),
    dav: { url: (path) => `${url}/${path}`, headers: [] },
  };
}

async function startRclone(root: string): Promise<Omit<PeerServer, "name">> {
  const started = await startProgram("rclone", (port) => [
    ...["serve", "webdav", root, "--addr", `127.0.0.1:${port}`],
    ...["--user", username, "--pass", password],
  ]);
  const { url } = started;
  return {
    ...started,
    headers: basic,
    list: (folder) => `${url}/${folder}/`,
    download: (file) => `${url}/${file}`,
    upload: { method: "PUT", url: (file) => `${url}/${file}` },
    copy: (from, to) => davCopy(url, from, to),
    dav: { url: (path) => `${url}/${path}`, headers: basic },
  };
}

async function startSftpgo(root: string, folder: string): Promise<Omit<PeerServer, "name">> {
  const davPort = freePort();
  const users = join(folder, "users.json");
  const user = { username, password, status: 1, home_dir: root, permissions: { "/": ["*"] } };
  await Deno.writeTextFile(users, JSON.stringify({ users: [user], version: 17 }));
  // Templates and other files of its pages are beside the program.
  const home = dirname(await Deno.realPath((await run("which", "sftpgo")).trim()));
  const { url, ...started } = await startProgram("sftpgo", () => ["serve", "-c", home], {
    cwd: folder,
    env: (port) => ({
      // By default one address may have 20.
      SFTPGO_COMMON__MAX_PER_HOST_CONNECTIONS: "0",
      SFTPGO_DATA_PROVIDER__DRIVER: "memory",
      SFTPGO_DATA_PROVIDER__NAME: users,
      SFTPGO_HTTPD__BINDINGS__0__ADDRESS: "127.0.0.1",
      SFTPGO_HTTPD__BINDINGS__0__PORT: String(port),
      SFTPGO_WEBDAVD__BINDINGS__0__ADDRESS: "127.0.0.1",
      SFTPGO_WEBDAVD__BINDINGS__0__PORT: String(davPort),
      SFTPGO_SFTPD__BINDINGS__0__PORT: "0",
      SFTPGO_LOG_FILE_PATH: join(folder, "sftpgo.log"),
    }),
  });
  const api = `${url}/api/v2/user`;
  const signIn: PeerRequest = { url: `${api}/token`, headers: basic };
  const headers: string[] = [];
  const renew = async () => {
    const { access_token } = JSON.parse(await textOf(signIn));
    headers[0] = `Authorization: Bearer ${access_token}`;
  };
  await renew();
  const path = (text: string) => encodeURIComponent(text);
  return {
    ...started,
    headers,
    renew,
    list: (folder) => `${api}/dirs?path=${path(folder)}`,
    download: (file) => `${api}/files?path=${path(file)}`,
    zip: (folder) => ({
      method: "POST",
      url: `${api}/streamzip`,
      headers: ["Content-Type: application/json"],
      body: JSON.stringify([`/${folder}`]),
    }),
    upload: { method: "POST", url: (file) => `${api}/files/upload?path=${path(file)}` },
    copy: (from, to) => ({
      method: "POST",
      url: `${api}/file-actions/copy?path=${path(from)}&target=${path(to)}`,
    }),
    dav: { url: (path) => `http://127.0.0.1:${davPort}/${path}`, headers: basic },
    signIn,
  };
}

async function startNginxPeer(root: string, folder: string): Promise<Omit<PeerServer, "name">> {
  const begun = performance.now();
  const nginx = await startNginx(root, folder);
  if (!nginx) throw new Error("Cannot start nginx: it is not installed");
  const { url, pid } = nginx;
  return {
    headers: [],
    startSeconds: (performance.now() - begun) / 1000,
    memory: (kind) => memoryOf(pid, kind),
    processorTime: () => processorTimeOf(pid),
    list: (folder) => `${url}/${folder}/`,
    download: (file) => `${url}/${file}`,
    upload: { method: "PUT", url: (file) => `${url}/${file}` },
    [Symbol.asyncDispose]: () => nginx[Symbol.asyncDispose](),
  };
}

function jsonSignIn(url: string, username: string, password: string): PeerRequest {
  const body = JSON.stringify({ username, password });
  return { method: "POST", url, headers: ["Content-Type: application/json"], body };
}

function davCopy(url: string, from: string, to: string): PeerRequest {
  return { method: "COPY", url: `${url}/${from}`, headers: [`Destination: ${url}/${to}`] };
}

/** Arguments of curl for a request. @param session headers of the session */
export function requestArgs(request: PeerRequest, session: readonly string[] = []): string[] {
  const { method = "GET", headers = [], body, url } = request;
  const sent = body === undefined ? [] : ["--data-binary", body];
  return [...curlArgs([...session, ...headers]), "--request", method, ...sent, url];
}

/** Sends a request with curl and drops its answer. */
export async function send(request: PeerRequest, session: readonly string[]): Promise<void> {
  await runQuietly("curl", ...requestArgs(request, session));
}

async function textOf({ method, url, headers = [], body }: PeerRequest): Promise<string> {
  const pairs = headers.map((line): [string, string] => {
    const colon = line.indexOf(":");
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const answer = await fetch(url, { method, headers: pairs, body });
  const text = await answer.text();
  if (!answer.ok) throw new Error(`Cannot sign in at ${url}: ${answer.status} ${text}`);
  return text;
}
