import { isoOf } from "../../../shared/time.ts";
import { DomainError } from "../../../shared/errors.ts";
import {
  type AuditAction,
  auditActions,
  auditGroupNames,
  auditGroups,
} from "../../../shared/schemas/choices/audit_choices.ts";
import type { ActivityFilter } from "../../../shared/settings_data.ts";
import { type ExportFormat, exportFormats } from "../../features/audit/export_audit.ts";
import { readTime, startOfDay } from "../../features/audit/read_time.ts";
import type { AuditFilter, AuditQuery } from "../../features/audit/search_audit.ts";
import { countOption } from "./query.ts";
import { timeZoneOf } from "./server_clock.ts";

/** Records in one answer, at most and unless the query says. */
const maxListed = 500;
const listed = 100;

/**
 * Reads which records of the activity log are wanted: `?user=&action=&path=&since=&until=&zone=`,
 * where several actions stand with commas between.
 *
 * @throws DomainError `invalid_option`
 */
export function auditFilter(query: URLSearchParams): AuditFilter {
  const zone = zoneOption(query);
  return {
    user: query.get("user") || undefined,
    actions: actionsOption(query.get("action") ?? ""),
    path: query.get("path") || undefined,
    since: timeOption("since", query.get("since") ?? "", zone),
    until: timeOption("until", query.get("until") ?? "", zone),
  };
}

/**
 * As {@linkcode auditFilter}, with `?before=&limit=` for one page.
 *
 * @throws DomainError `invalid_option`
 */
export function readAuditQuery(query: URLSearchParams): AuditQuery {
  const limit = Math.min(countOption(query, "limit") || listed, maxListed);
  return { ...auditFilter(query), before: countOption(query, "before"), limit };
}

/**
 * Reads what the page of activities is to show. What makes no sense, as in an address that was
 * typed, is left out: the form shows what counts.
 */
export function activityFilter(query: URLSearchParams): ActivityFilter {
  const day = (name: string) => {
    const text = query.get(name) ?? "";
    return /^\d{4}-\d{2}-\d{2}$/.test(text) && readTime(text) !== null ? text : "";
  };
  return {
    user: query.get("user") ?? "",
    action: [...auditGroupNames, ...auditActions].find((each) => each === query.get("action")) ??
      "",
    path: query.get("path") ?? "",
    since: day("since"),
    until: day("until"),
  };
}

/**
 * The query of `GET /api/audit` for it. There `until` is no longer part of the time.
 *
 * @param zone of the days
 */
export function auditQuery(
  { since, until, action, ...filter }: ActivityFilter,
  zone: string,
): URLSearchParams {
  const group = auditGroupNames.find((each) => each === action);
  const wanted = Object.entries({
    ...filter,
    action: group ? auditGroups[group].join(",") : action,
    since: momentOf(startOfDay(since, zone)),
    until: momentOf(startOfDay(until, zone, 1)),
    zone,
  }).filter(([, value]) => value !== "");
  return new URLSearchParams(wanted);
}

function momentOf(at: number | null): string {
  return at === null ? "" : isoOf(at);
}

/** The time zone of days and of times in CSV, of `?zone=`. @throws DomainError `invalid_option` */
export function zoneOption(query: URLSearchParams): string {
  const text = query.get("zone") || "UTC";
  const zone = timeZoneOf(text);
  if (zone !== undefined) return zone;
  const wanted = "expected a time zone, such as Europe/Berlin";
  throw new DomainError("invalid_option", `Cannot use "${text}" as zone: ${wanted}`);
}

/** The form of an export, of `?format=`. @throws DomainError `invalid_option` */
export function formatOption(text: string): ExportFormat {
  const format = exportFormats.find((each) => each === text);
  if (format !== undefined) return format;
  throw new DomainError("invalid_option", `Cannot export as "${text}": expected csv or json`);
}

function actionsOption(text: string): AuditAction[] | undefined {
  return text === "" ? undefined : text.split(",").map(actionOption);
}

function actionOption(text: string): AuditAction {
  const action = auditActions.find((each) => each === text);
  if (action !== undefined) return action;
  throw new DomainError("invalid_option", `Cannot search for "${text}": no such action`);
}

function timeOption(name: string, text: string, zone: string): number | undefined {
  if (text === "") return undefined;
  const at = readTime(text, zone);
  if (at !== null) return at;
  throw new DomainError(
    "invalid_option",
    `Cannot use "${text}" as ${name}: expected 2026-01-31 or 2026-01-31T12:00:00Z`,
  );
}
