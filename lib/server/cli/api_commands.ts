/**
 * Commands that are calls of the API. The handler of the call's route runs in this process, in an
 * application of that route alone: with its body, its checks and its activity log, but without a
 * server. Who may open the store has the rights of an administrator, or of the user that `--as`
 * names.
 */
import { App, type Context } from "fresh";
import { pathToFileURL } from "node:url";
import type * as v from "valibot";
import { DomainError } from "../../shared/errors.ts";
import { encodePath, parsePath } from "../../shared/path.ts";
import { allPermissions } from "../core/access/viewer.ts";
import type { SignedIn } from "../features/accounts/auth/session.ts";
import { modulePath } from "../core/config/app_folder.ts";
import type { State } from "../http/define.ts";
import type { CallHandler } from "../http/calls.ts";
import { type CallMethod, jsonBodyOf } from "../http/openapi/call.ts";
import type { AnySchema } from "../http/openapi/json_body.ts";
import { blankUser, commandLineId, type User } from "../features/accounts/users/user.ts";
import type { Call, Command } from "./command.ts";
import { type CommandFlag, dataOf, flagsOf } from "./flags.ts";
import { passwordFlag, readPipedPassword, visiblePassword } from "./password_input.ts";
import { tableLines } from "./texts.ts";
import { findUser } from "./user_commands.ts";

/** A call of the API. */
interface ApiCall {
  /** The module of its route below `routes/api`, without the ending: `trash/[id]`. */
  route: string;
  method: CallMethod;
}

/** The address of the server, in two parts. */
export interface Site {
  /** As `https://files.example.org`. */
  origin: string;
  /** Without a slash at its end. */
  baseUrl: string;
}

/** What a call is made with. */
interface ApiRequest extends ApiCall {
  /** The parameter in the route's path. */
  place?: string;
  query?: Readonly<Record<string, string>>;
  body?: unknown;
  /** The user whose rights it has; an administrator's unless given. */
  user?: User;
  /** The address of the server, for calls that pass it on. */
  site?: Site;
}

/** An item of an answer. */
export type Item = Readonly<Record<string, unknown>>;

/** The columns of a table: the member of an item, or how its text is made. */
export type Columns = Readonly<Record<string, string | ((item: Item) => unknown)>>;

/** The declaration of a command that makes a call. */
export interface ApiCommand extends ApiCall, Pick<Command, "store"> {
  name: string;
  about: string;
  /** The names of its arguments: first for the parameter in the path, then for members of the body. */
  words?: readonly string[];
  /** Whether `--as` may or must name the user whose rights the call has. */
  as?: "optional" | "required";
  /** The query, where a user is named. */
  queryAs?: Readonly<Record<string, string>>;
  /** It looks at files: the served folder must be named. */
  isAboutFiles?: true;
  /** Finds the id that an argument means, where a name may stand for it. */
  find?: (call: Call, word: string) => Promise<string>;
  /** Flags in place of those that the call's schema gives, by their names; null for none. */
  flags?: Readonly<Record<string, CommandFlag | null>>;
  /** Members of the body that no flag has set. */
  defaults?: Readonly<Record<string, unknown>>;
  /** Adds to the items of an answer what the table shows besides. */
  complete?: (call: Call, items: readonly Item[]) => Promise<Item[]>;
  /** The member of the answer that has the items; the answer itself unless given. */
  items?: string;
  /** The table of the answer, or the lines about it. */
  show: Columns | ((word: string, answer: Response) => string | Promise<string[]>);
}

const asFlag: CommandFlag = {
  name: "as",
  value: "USER",
  about: "Acts for this user, by id or name, with the rights of the user.",
};

const jsonFlag: CommandFlag = { name: "json", about: "Prints the answer of the API as JSON." };

/** Parameters of a query that the command line sends by itself. */
const ownParameters = ["limit", "after", "before", "own", "counts"];

/** The command of a declaration. */
export function apiCommand(declared: ApiCommand): Command {
  const { name, about, store, words = [], as, show, flags: own = {} } = declared;
  const named = words.slice(hasPlace(declared) ? 1 : 0);
  const load = async () => {
    const { query, body } = await inputsOf(declared);
    return {
      query,
      body: body?.filter((flag) => !named.includes(flag.name))
        .flatMap((flag) => own[flag.name] === null ? [] : own[flag.name] ?? flag),
    };
  };
  return {
    ...{ name, about, store },
    words: words.map((word) => `<${word}>`).join(" "),
    async flags() {
      const { query, body = [] } = await load();
      return [
        ...as ? [asFlag] : [],
        ...query,
        ...body,
        ...body.some(isPassword) ? [passwordFlag] : [],
        ...typeof show === "object" ? [jsonFlag] : [],
      ];
    },
    async run(call) {
      const { query, body } = await load();
      const given = wordsOf(call, words);
      const user = await namedUser(call, declared);
      if (declared.isAboutFiles) await call.records.openGate(true);
      const request: ApiRequest = {
        ...declared,
        place: await placeOf(call, declared, given),
        query: { ...user && declared.queryAs, ...textsOf(dataOf(call.flags, query)) },
        body: body && { ...await dataIn(call, declared, body), ...membersOf(named, given) },
        user,
      };
      if (typeof show === "function") {
        const lines = await show(given[0] ?? "", await answerTo(call, request));
        for (const line of [lines].flat()) call.print(line);
        return;
      }
      const answer = await jsonAnswerTo(call, request);
      if (call.flags.get("json") === "true") {
        for (const line of JSON.stringify(answer, null, 2).split("\n")) call.print(line);
        return;
      }
      const listed = declared.items === undefined ? answer : (answer as Item)[declared.items];
      const items = (Array.isArray(listed) ? listed : [listed]) as Item[];
      printTable(call, show, await declared.complete?.(call, items) ?? items);
    },
  };
}

/** The body of a call, of flags. @throws DomainError `invalid_option` for a change of nothing */
async function dataIn(
  call: Call,
  { method, defaults }: ApiCommand,
  flags: readonly CommandFlag[],
): Promise<Record<string, unknown>> {
  const data: Record<string, unknown> = { ...defaults, ...dataOf(call.flags, flags) };
  const password = flags.some(isPassword)
    ? await readPipedPassword(call, call.flags.get("password"))
    : undefined;
  if (password !== undefined) data.password = password;
  if (method === "POST" || method === "DELETE" || Object.keys(data).length > 0) return data;
  throw new DomainError("invalid_option", "Cannot change it: no flags given");
}

async function placeOf(
  call: Call,
  declared: ApiCommand,
  [word = ""]: readonly string[],
): Promise<string | undefined> {
  return hasPlace(declared) ? await declared.find?.(call, word) ?? word : undefined;
}

/** The members of a body that are arguments: the last of these. */
function membersOf(names: readonly string[], given: readonly string[]): Record<string, string> {
  const values = given.slice(given.length - names.length);
  return Object.fromEntries(names.map((name, index) => [name, values[index] ?? ""]));
}

/** Prints items as a table. */
export function printTable(call: Call, columns: Columns, items: readonly Item[]): void {
  const rows = items.map((item) =>
    Object.values(columns).map((column) =>
      textOf(typeof column === "string" ? item[column] : column(item))
    )
  );
  for (const line of tableLines(Object.keys(columns), rows)) call.print(line);
}

/** A value in a table. */
function textOf(value: unknown): string {
  if (Array.isArray(value)) return value.map(textOf).join(",") || "-";
  if (typeof value === "boolean") return value ? "yes" : "no";
  return String(value ?? "") || "-";
}

/** Makes a call, and reads its JSON; a list is read to its end, page by page. */
export async function jsonAnswerTo(call: Call, request: ApiRequest): Promise<unknown> {
  const items: unknown[] = [];
  let query = { ...request.query };
  while (true) {
    const answer = await answerTo(call, { ...request, query });
    const value = await answer.json();
    const isPage = Array.isArray(value?.items);
    if (!isPage && !Array.isArray(value)) return value;
    items.push(...isPage ? value.items : value);
    const link = /<\?([^>]*)>/.exec(answer.headers.get("link") ?? "")?.[1];
    if (link !== undefined) query = Object.fromEntries(new URLSearchParams(link));
    else if (isPage && value.next !== null) query = { ...query, before: value.next };
    else return items;
  }
}

/**
 * Makes a call in this process.
 *
 * @throws DomainError as the call
 */
export async function answerTo(
  call: Call,
  { route, method, place, query = {}, body, user, site }: ApiRequest,
): Promise<Response> {
  const open = await call.records.open();
  const { origin, baseUrl } = site ?? { origin: "http://localhost", baseUrl: "" };
  const cubby = { ...open, config: { ...open.config, baseUrl } };
  const signedIn = await callerOf(call, user);
  let failure: unknown;
  const app = new App<State>()
    .use(async (ctx: Context<State>) => {
      Object.assign(ctx.state, { cubby, signedIn, address: "local" });
      try {
        return await ctx.next();
      } catch (error) {
        failure = error;
        return new Response(null, { status: 500 });
      }
    })
    .all(patternOf(route), await handlerOf(route));
  const url = new URL(`${origin}${addressOf(route, place)}?${new URLSearchParams(query)}`);
  const sent = body === undefined ? null : JSON.stringify(body);
  const headers = { accept: "application/json", "content-type": "application/json" };
  const answer = await app.handler()(new Request(url, { method, body: sent, headers }));
  if (failure === undefined) return answer;
  if (!(failure instanceof DomainError) || failure.code !== "invalid_body") throw failure;
  // The body comes from the command line: what is wrong with it is wrong with that.
  throw new DomainError("invalid_option", failure.message);
}

/** The pattern of a route: its file's name, as Fresh reads it. */
function patternOf(route: string): string {
  const path = `/api/${route.replace(/\/index$/, "")}`;
  return path.replace(/\/\[\.{3}\w+\]/, "/*").replace(/\[(\w+)\]/, ":$1");
}

/** The address of a route with the path of an entry, or an id, in the place of its parameter. */
function addressOf(route: string, place = ""): string {
  const pattern = patternOf(route);
  return pattern.endsWith("*")
    ? pattern.replace(/\/\*$/, () => encodePath(parsePath(place).path))
    : pattern.replace(/:\w+/, () => encodeURIComponent(place));
}

/** One who has just signed in, with all rights or those of a user. */
async function callerOf(
  { records: { settings } }: Call,
  user: User = administrator(),
): Promise<SignedIn> {
  const now = Date.now();
  const client = { address: "local", agent: "command line" };
  const { id: userId, epoch } = user;
  return {
    user,
    settings: await settings.get(),
    stale: false,
    session: {
      ...{ sid: "", userId, epoch, gen: 0, former: [], ...client },
      ...{ created: now, lastSeen: now, expires: now, provedAt: now },
    },
  };
}

/** The administrator of the machine, who need be no user. */
function administrator(): User {
  const record = { id: commandLineId, passwordHash: "", home: "", version: 1, epoch: 1 };
  return { ...blankUser(), ...record, username: "command line", perm: allPermissions() };
}

async function namedUser(call: Call, { as }: ApiCommand): Promise<User | undefined> {
  const { users } = call.records;
  const word = as && call.flags.get(asFlag.name);
  if (word !== undefined) return await users.acting((await findUser(users, word)).id);
  if (as !== "required") return undefined;
  const reason = "--as is missing; it names the user";
  throw new DomainError("invalid_option", `Cannot run the command: ${reason}`);
}

function wordsOf({ words }: Call, names: readonly string[]): string[] {
  return names.map((name, index) => {
    const word = words[index];
    if (word) return word;
    throw new DomainError("invalid_option", `Cannot run the command: the ${name} is missing`);
  });
}

async function handlerOf(route: string): Promise<CallHandler> {
  return (await import(pathToFileURL(modulePath(`routes/api/${route}.ts`)).href)).handler;
}

function hasPlace({ route }: ApiCall): boolean {
  return route.includes("[");
}

/** The flags of a call: for its query and for its body. */
async function inputsOf(
  { route, method }: ApiCall,
): Promise<{ query: CommandFlag[]; body?: readonly CommandFlag[] }> {
  const call = (await handlerOf(route)).calls[method];
  if (!call) throw new TypeError(`No call: ${method} ${route}`);
  const query = (call.parameters ?? []).flatMap((parameter): CommandFlag[] => {
    if (!("in" in parameter) || parameter.in !== "query") return [];
    const { name, description: about, schema: { type } } = parameter;
    if (ownParameters.includes(name)) return [];
    return [{ name, about, ...type !== "boolean" && { value: "TEXT" } }];
  });
  const schema = jsonBodyOf(call)?.schema;
  if (!schema || !("members" in schema)) return { query };
  const entries = Object.entries(schema.members as Record<string, AnySchema>)
    .filter((entry): entry is [string, v.GenericSchema] => "~run" in entry[1]);
  const body = flagsOf(Object.fromEntries(entries)).map((flag) =>
    isPassword(flag) ? { ...flag, about: `${flag.about} ${visiblePassword}` } : flag
  );
  return { query, body };
}

function isPassword({ name }: CommandFlag): boolean {
  return name === "password";
}

function textsOf(values: Record<string, unknown>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
}
