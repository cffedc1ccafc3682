import { DomainError } from "../../../shared/errors.ts";
import { isRecord } from "../../../shared/schemas/read.ts";
import { BoltFile, type Bucket } from "./bolt.ts";

/** A record as File Browser wrote it. */
export type ForeignRecord = Record<string, unknown>;

/** The records of a File Browser database, as JSON; nothing about them is checked yet. */
export interface ForeignRecords {
  users: ForeignRecord[];
  /** The shares. */
  links: ForeignRecord[];
  settings: ForeignRecord;
  /** The options of the server. */
  server: ForeignRecord;
  /** The options of the authentication method that the settings name. */
  auther: ForeignRecord;
}

/** The version of the records that File Browser 2 writes. */
const recordsVersion = 2;

/** How often a database is read that File Browser changes meanwhile. */
const attempts = 5;

/**
 * Reads the records of File Browser 2.0 to 2.63: Bolt buckets of JSON values, which storm
 * (https://github.com/asdine/storm) writes. The file is only read, and read whole before any record
 * is returned.
 *
 * @throws DomainError `not_found`, `invalid_body`, `busy`
 */
export function readForeignRecords(path: string): ForeignRecords {
  for (let left = attempts; left > 0; left--) {
    using file = new BoltFile(path);
    try {
      const records = recordsIn(file, path);
      if (!file.hasChanged()) return records;
    } catch (error) {
      // A page that was written meanwhile looks like a damaged one.
      if (!file.hasChanged()) throw error;
    }
  }
  throw new DomainError(
    "busy",
    `Cannot read "${path}": it is being changed; stop File Browser first`,
  );
}

function recordsIn(file: BoltFile, path: string): ForeignRecords {
  const unreadableError = (reason: string) =>
    new DomainError("invalid_body", `Cannot read "${path}": ${reason}`);
  const config = file.root.bucket("config");
  const users = file.root.bucket("User");
  if (!config || !users) throw unreadableError("it is not a File Browser 2 database");
  const parts = new Map([...config.values()].map(([key, value]) => [text(key, "a name"), value]));
  if (parse(parts.get("version") ?? utf8("2"), "version") !== recordsVersion) {
    throw unreadableError("its records are of another version; start File Browser 2 on it once");
  }
  const part = (name: string) => {
    const value = parts.get(name);
    return value ? record(parse(value, name), name) : {};
  };
  const links = file.root.bucket("Link");
  return {
    users: all(users, "a user"),
    links: links ? all(links, "a share") : [],
    settings: part("settings"),
    server: part("server"),
    auther: part("auther"),
  };

  function all(bucket: Bucket, what: string): ForeignRecord[] {
    return [...bucket.values()].map(([, value]) => record(parse(value, what), what));
  }

  function parse(value: Uint8Array, what: string): unknown {
    try {
      return JSON.parse(text(value, what));
    } catch {
      throw unreadableError(`${what} is damaged`);
    }
  }

  function text(bytes: Uint8Array, what: string): string {
    try {
      return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    } catch {
      throw unreadableError(`${what} is damaged`);
    }
  }

  function record(value: unknown, what: string): ForeignRecord {
    if (isRecord(value)) return value;
    throw unreadableError(`${what} is damaged`);
  }
}

const utf8 = (given: string) => new TextEncoder().encode(given);
