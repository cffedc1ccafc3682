import type { Settings } from "../../../shared/schemas/settings.ts";
import type { Progress } from "./backfill.ts";
import { Collection } from "./collection.ts";

/** The number of the last migration that ran: one small record for the whole store. */
export const schemaVersion = new Collection<number, []>("schema");

/** How far the last migration has filled an index: one small record, until it is filled. */
export const backfillProgress = new Collection<Progress, []>("schema_backfill");

/** The import of a File Browser database. */
export interface ImportMark {
  /** The path of the database. */
  from: string;
  /** When it began, in milliseconds since 1970. */
  at: number;
  /** False while it runs, and when it was interrupted. */
  isComplete: boolean;
}

/** The last import of a File Browser database: one small record. */
export const importMark = new Collection<ImportMark, []>("import");

/** The last backup that the command `backup` has written. */
export interface BackupMark {
  /** When, in milliseconds since 1970. */
  at: number;
}

/** The last backup of the store: one small record. */
export const backupMark = new Collection<BackupMark, []>("backup");

/** The global settings: one record of less than 64 KiB (limited in `lib/server/core/kv/size.ts`). */
export const settingsRecord = new Collection<Settings, []>("settings");
