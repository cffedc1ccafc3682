/** A folder on screen, the actions on it, and a server that does what they ask. */
import { signal } from "@preact/signals";
import { Actions } from "../../../../../lib/client/files_page/actions/actions.ts";
import { Clipboard } from "../../../../../lib/client/files_page/actions/clipboard.ts";
import { Listing } from "../../../../../lib/client/files_page/listing/listing.ts";
import { LeaveGuard } from "../../../../../lib/client/base/navigation/leave_guard.ts";
import { RootAccess } from "../../../../../lib/client/base/core/root_access.ts";
import { Prompts } from "../../../../../lib/client/base/prompts/prompts.ts";
import { Tasks } from "../../../../../lib/client/base/files/tasks.ts";
import { Toasts } from "../../../../../lib/client/base/ui/toasts.ts";
import { Api } from "../../../../../lib/client/base/api/api.ts";
import type { ApiPath } from "../../../../../lib/client/base/api/api_path.ts";
import type { Connection } from "../../../../../lib/client/base/api/connection.ts";
import { parentOf, parsePath } from "../../../../../lib/shared/path.ts";
import type { RootsInfo } from "../../../../../lib/shared/named_roots.ts";
import type { Failure } from "../../../../../lib/shared/result.ts";
import { wordsOf } from "../../../../../lib/server/http/pages/dictionaries.ts";
import { createI18n } from "../../../../../lib/shared/i18n/i18n.ts";
import { FakeJobs, type FakeJobsOptions } from "../../fake_jobs.ts";
import { folderOf, type Heard, speakTo, until } from "../../support.ts";

const { t, language } = createI18n("en", wordsOf("en"));

interface SetUpOptions {
  /** Answers a call in the place of the server. */
  answer?: (heard: Heard) => Response | null;
  /** See {@linkcode FakeJobsOptions}. */
  refuse?: FakeJobsOptions["refuse"];
  leaveOut?: FakeJobsOptions["leaveOut"];
  may?: () => boolean;
  /** What other folders hold. */
  there?: Record<string, string[]>;
  /** Whether the server can be reached. */
  connection?: Connection;
  /** Success messages go away by themselves; otherwise they are only noted. */
  hasTimers?: boolean;
  /** Of a user with named roots. */
  roots?: RootsInfo;
}

/** Opens "/docs" with files in it. */
export function setUp(names: readonly string[], options: SetUpOptions = {}) {
  const { answer = () => null, refuse, leaveOut, may = () => true, there, connection } = options;
  const folders: Record<string, string[]> = { "/docs": [...names], ...there };
  const add = (path: string) => {
    const [folder, name] = apart(path);
    if (!folders[folder]?.includes(name)) folders[folder] = [...folders[folder] ?? [], name].sort();
  };
  const remove = (path: string) => {
    const [folder, name] = apart(path);
    folders[folder] = folders[folder]?.filter((known) => known !== name) ?? [];
  };
  const jobs = new FakeJobs({
    refuse,
    leaveOut,
    onDone(action, { path, to }) {
      if (action !== "copy") remove(path);
      if (to !== null) add(to);
    },
    onUndone(action, { path, to }) {
      if (to !== null) remove(to);
      if (action === "move" || action === "trash") add(path);
    },
  });
  const spoken = speakTo(async (heard) => {
    const given = answer(heard) ?? await jobs.answer(heard);
    if (given) return given;
    const path = decodeURIComponent(heard.path).replace(/^\/api\/resources|\/$/g, "");
    if (heard.method === "POST") add(path);
    if (heard.method === "HEAD") {
      const [folder, name] = apart(path);
      return new Response(null, { status: folders[folder]?.includes(name) ? 200 : 404 });
    }
    return Response.json(folderOf(folders[path] ?? [], heard.query, path));
  });
  const { session } = spoken;
  const api = connection
    ? new Api({ baseUrl: spoken.api.address("" as ApiPath), session, connection, resumes: true })
    : spoken.api;
  const initial = {
    path: "/docs",
    resource: folderOf(names, undefined, "/docs"),
    failure: null,
  };
  const listing = new Listing({ api, initial });
  const [prompts, toasts, clipboard, tasks] = [
    new Prompts(),
    new Toasts(),
    new Clipboard(),
    new Tasks(),
  ];
  const news: string[] = [];
  const undos: ((() => void) | undefined)[] = [];
  const closed: number[] = [];
  if (!options.hasTimers) {
    toasts.success = (text, undo) => {
      undos.push(typeof undo === "function" ? undo : undefined);
      return -news.push(text);
    };
    const { close } = toasts;
    toasts.close = (id) => void (id < 0 ? closed.push(-id) : close.call(toasts, id));
  }
  const went: string[] = [];
  const saved: string[] = [];
  const forms: { address: string; files: string; refused: (why: Failure) => void }[] = [];
  const actions = new Actions({
    ...{ api, listing, prompts, tasks, clipboard, toasts, t, language, may },
    rootAccess: new RootAccess(options.roots),
    details: signal(false),
    favorites: signal([]),
    navigation: {
      go: (at, options) => void went.push(`${at} ${options?.folder}`),
      leave: () => void went.push("left"),
      href: (at) => at,
      guard: new LeaveGuard(),
    },
    follows: () => false,
    asksToTrash: () => true,
    saving: {
      from: (address) => void saved.push(address),
      byForm: (address, { files = "" }, refused) => void forms.push({ address, files, refused }),
    },
  });
  return Object.assign(spoken, {
    ...{ api, folders, jobs, listing, prompts, toasts, tasks, clipboard, actions },
    ...{ news, undos, closed, went, saved, forms },
  });
}

/** See {@linkcode setUp}. */
export type Fixture = ReturnType<typeof setUp>;

/** The errors on screen. */
export function errorsOf({ toasts }: Pick<Fixture, "toasts">): string[] {
  return toasts.shown.value.filter(({ kind }) => kind === "error").map(({ text }) => text);
}

/** The addresses that were called by a method. */
export function callsOf({ heard }: Pick<Fixture, "heard">, method: string): string[] {
  return heard.filter((call) => call.method === method).map(({ target }) => target);
}

/** What jobs were asked for, in order. */
export function askedOf({ jobs }: Pick<Fixture, "jobs">): string[] {
  return jobs.asked.flat();
}

/** Deletes the selection, with a yes to the question whether to. */
export async function deleteSelected({ actions, prompts }: Fixture): Promise<void> {
  const deleting = actions.deleteSelection();
  await until(() => prompts.current.value !== null);
  prompts.answer("delete", true);
  await deleting;
}

function apart(path: string): [folder: string, name: string] {
  const at = parsePath(path).path;
  return [parentOf(at), at.slice(at.lastIndexOf("/") + 1)];
}
