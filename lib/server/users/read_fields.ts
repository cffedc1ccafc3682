import {
  type Permissions,
  type Rule,
  type Sorting,
  sortKeys,
  viewModes,
} from "../../shared/api_types.ts";
import { parsePath } from "../../shared/path.ts";
import { DomainError } from "../../shared/errors.ts";
import { checkRules } from "../../shared/rules/validate.ts";
import { Fields } from "../settings/fields.ts";
import type { UserPreferences } from "./user.ts";

/** All commands of a user together, in characters: they travel in every token, and in a cookie. */
const longestCommands = 1_000;

/**
 * Reads the fields that a user and the defaults for users share, those that are there.
 *
 * @param base what partly given permissions and an order are laid over
 * @throws DomainError `invalid_body`; `invalid_path` for the scope
 */
export function readPreferences(
  fields: Fields,
  base: Pick<UserPreferences, "perm" | "sorting">,
): Partial<UserPreferences> {
  return {
    scope: readScope(fields),
    locale: readLocale(fields),
    viewMode: fields.oneOf("viewMode", viewModes),
    singleClick: fields.flag("singleClick"),
    sorting: readSorting(fields, base.sorting),
    perm: readPermissions(fields, base.perm),
    commands: readCommands(fields),
    hideDotfiles: fields.flag("hideDotfiles"),
    dateFormat: fields.flag("dateFormat"),
  };
}

/**
 * Reads the rules below `rules`.
 *
 * @throws DomainError `invalid_body`; `invalid_rule`
 */
export function readRules(fields: Fields): Rule[] | undefined {
  const rules = fields.list("rules", (value, place): Rule => {
    const rule = new Fields(value, place);
    return {
      allow: rule.flag("allow") ?? false,
      path: rule.text("path") ?? "",
      regex: rule.flag("regex") ?? false,
      regexp: { raw: rule.object("regexp")?.text("raw") ?? "" },
    };
  });
  if (rules) checkRules(rules);
  return rules;
}

/** ".", "./a" and "a" are spellings of folders below the server's root, too. */
function readScope(fields: Fields): string | undefined {
  const scope = fields.text("scope")?.trim();
  return scope === undefined ? undefined : parsePath(scope.replace(/^\.(?:\/|$)/, "/")).path;
}

function readLocale(fields: Fields): string | undefined {
  const locale = fields.text("locale");
  if (locale === undefined || locale === "" || /^[a-z]{2,3}(-[a-z]{2,8})?$/i.test(locale)) {
    return locale;
  }
  throw new DomainError("invalid_body", `Cannot read locale: "${locale}" is not a language code`);
}

function readSorting(fields: Fields, base: Sorting): Sorting | undefined {
  const sorting = fields.object("sorting");
  return sorting && {
    by: sorting.oneOf("by", sortKeys) ?? base.by,
    asc: sorting.flag("asc") ?? base.asc,
  };
}

function readPermissions(fields: Fields, base: Permissions): Permissions | undefined {
  const perm = fields.object("perm");
  return perm && {
    admin: perm.flag("admin") ?? base.admin,
    create: perm.flag("create") ?? base.create,
    delete: perm.flag("delete") ?? base.delete,
    download: perm.flag("download") ?? base.download,
    execute: perm.flag("execute") ?? base.execute,
    modify: perm.flag("modify") ?? base.modify,
    rename: perm.flag("rename") ?? base.rename,
    share: perm.flag("share") ?? base.share,
  };
}

function readCommands(fields: Fields): string[] | undefined {
  const commands = fields.texts("commands");
  if (commands && commands.join().length > longestCommands) {
    const message = `Cannot read commands: it must be at most ${longestCommands} characters long`;
    throw new DomainError("invalid_body", message);
  }
  return commands;
}
