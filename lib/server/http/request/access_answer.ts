import type { Context } from "fresh";
import type { Rule } from "../../../shared/schemas/rights.ts";
import { unlessRefused } from "../../../shared/unless_refused.ts";
import { DomainError } from "../../../shared/errors.ts";
import { childrenOf, type EntryPath, isInside, relativePath, ROOT } from "../../../shared/path.ts";
import type { AccessAnswer, AccessReason } from "../../../shared/schemas/access.ts";
import { type AskedAction, askedActions } from "../../../shared/schemas/choices/access_choices.ts";
import type { Access } from "../../core/access/access.ts";
import { type Refusal, refusalsOf } from "../../core/access/explain.ts";
import type { FolderContent } from "../../core/access/folder_handle.ts";
import { type Viewer, viewerOf } from "../../core/access/viewer.ts";
import { serverPath, topOf } from "../../features/audit/server_path.ts";
import { mustEnrol } from "../../features/accounts/auth/factors/must_enrol.ts";
import type { SignedIn } from "../../features/accounts/auth/session.ts";
import type { State } from "../define.ts";
import type { Group } from "../../features/accounts/users/groups/group.ts";
import type { User } from "../../features/accounts/users/user.ts";

/** Most entries of a folder in one answer. */
const maxEntries = 500;

/** Of whom an administrator asks, and about what. */
interface Question {
  me: SignedIn;
  /** With what the groups add, which are those in their order. */
  user: User;
  groups: readonly Group[];
  /** From the user's scope. */
  path: EntryPath;
}

/**
 * The permissions of a user for an entry with their reasons, and the user's view of a folder. The
 * code that decides is asked, with the records of the user, and in no session of the user.
 *
 * @throws DomainError `forbidden` for a place that the administrator's own scope or rules close
 */
export async function accessAnswer(
  { state: { cubby } }: Pick<Context<State>, "state">,
  { me, user, groups, path }: Question,
): Promise<AccessAnswer> {
  const { settings } = me;
  const viewer = viewerOf(user, settings.rules);
  const asking = openToAsker(cubby, me, serverPath({ viewer }, path));

  const lists = [
    { list: "global" as const, group: null, rules: settings.rules },
    ...groups.map(({ name, rules }) => ({ list: "group" as const, group: name, rules })),
    { list: "user" as const, group: null, rules: user.rules },
  ];
  const reasonsOf = (refusals: Refusal[]) => refusals.map((each) => toReason(each, viewer, lists));
  const othersOf = await otherRefusals(cubby, me, user);
  const actions = askedActions.map((action) => {
    const refusals = [...othersOf(action), ...refusalsOf(cubby.gate, viewer, action, path)];
    return { action, allowed: refusals.length === 0, reasons: reasonsOf(refusals) };
  });
  const known = asking.content();
  if (known === null) return { path, actions, entries: null, more: 0 };

  const seen = contentOf(cubby.gate.enter(viewer), path)?.children.map(({ name }) => name);
  const isSeen = new Set(seen);
  const inFolder = childrenOf(path);
  const sorted = known.children.toSorted((a, b) =>
    Number(b.isFolder) - Number(a.isFolder) || byName.compare(a.name, b.name)
  );
  const entries = sorted.slice(0, maxEntries).map(({ name, isFolder }) => ({
    name,
    isDir: isFolder,
    reasons: isSeen.has(name)
      ? []
      : reasonsOf(refusalsOf(cubby.gate, viewer, "view", inFolder(name))),
  }));
  return { path, actions, entries, more: sorted.length - entries.length };
}

const byName = new Intl.Collator("en", { numeric: true });

/**
 * The place that is asked about, if it is open to the administrator who asks: it is in the scope,
 * and no rule of that account denies it. Global rules, which are for everybody, can be asked about;
 * what is in a folder that they deny is not told.
 *
 * @throws DomainError `forbidden`
 */
function openToAsker({ gate }: State["cubby"], { user, settings }: SignedIn, place: EntryPath) {
  const asker = { ...viewerOf(user, []), hideDotfiles: false };
  const top = topOf(asker);
  const action = `Cannot explain the access to "${place}"`;
  if (!isInside(place, top)) {
    throw new DomainError("forbidden", `${action}: it is outside your own folder`);
  }
  const path = relativePath(place, top);
  const own = gate.enter(asker);
  own.check(path, action);
  // Where there is nothing that the account may not know of, a link that leads out is explained.
  const isBound = top !== ROOT || user.rules.length > 0;
  if (isBound) refuseHidden(own, path);
  const ruled = gate.enter({ ...viewerOf(user, settings.rules), hideDotfiles: false });
  return { content: () => contentOf(ruled, path) && contentOf(own, path) };
}

/** @throws DomainError `forbidden` where a link leads to what the viewer may not know of */
function refuseHidden(access: Access, path: EntryPath): void {
  try {
    access.stat(path);
  } catch (error) {
    if (!(error instanceof DomainError) || error.code !== "not_found") throw error;
  }
}

/**
 * The entries of a folder that a viewer sees; null for one that is refused, and for what is none.
 */
function contentOf(access: Access, path: EntryPath): FolderContent | null {
  return unlessRefused(() => access.folder(path).read());
}

/** The obstacles to actions besides the gate: the duty to enrol, the quota, commands. */
async function otherRefusals(
  { config, gate, runner }: State["cubby"],
  { settings }: SignedIn,
  user: User,
): Promise<(action: AskedAction) => Refusal[]> {
  const enrols = mustEnrol({ user, settings, session: {} }, config);
  const { allowance } = gate.enter(viewerOf(user, settings.rules));
  let isFull = false;
  try {
    await using _room = await allowance?.reserve({ bytes: 1, files: 1 }, "Cannot add to it");
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    isFull = error.code === "over_quota";
  }
  let runs = true;
  try {
    runner.check();
  } catch (error) {
    if (!(error instanceof DomainError)) throw error;
    runs = false;
  }
  return (action) => [
    ...enrols ? [{ kind: "enrol" } as const] : [],
    ...isFull && action === "create" ? [{ kind: "quota" } as const] : [],
    ...!runs && action === "run" ? [{ kind: "commands_off" } as const] : [],
    ...user.commands.length === 0 && action === "run" ? [{ kind: "no_commands" } as const] : [],
  ];
}

/** The rules of one list, as they come one after the other in those of a viewer. */
interface RuleList {
  list: NonNullable<AccessReason["rule"]>["list"];
  group: string | null;
  rules: readonly Rule[];
}

function toReason(refusal: Refusal, viewer: Viewer, lists: readonly RuleList[]): AccessReason {
  const isOfPath = refusal.kind === "rule" || refusal.kind === "hidden";
  return {
    kind: refusal.kind,
    permission: refusal.kind === "permission" ? refusal.permission : null,
    rule: refusal.kind === "rule" ? placeOf(refusal.rule, viewer, lists) : null,
    path: isOfPath ? refusal.path : null,
  };
}

/** The place of a rule in the list that it is from. */
function placeOf(rule: Rule, viewer: Viewer, lists: readonly RuleList[]): AccessReason["rule"] {
  let index = viewer.rules.indexOf(rule);
  for (const { list, group, rules } of lists) {
    const text = rule.regex ? rule.regexp.raw : rule.path;
    if (index < rules.length) return { list, group, place: index + 1, text };
    index -= rules.length;
  }
  return null;
}
