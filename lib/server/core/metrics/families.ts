/** The description of a family of series, for the lines `HELP` and `TYPE`. */
export interface Family {
  type: "counter" | "gauge" | "histogram";
  help: string;
}

/** Every family, in the order of the answer. */
export const families = {
  cubby_info: { type: "gauge", help: "Version of Cubby and of Deno; always 1." },
  cubby_start_time_seconds: {
    type: "gauge",
    help: "Start time of the process, as Unix time in seconds.",
  },
  cubby_threads: { type: "gauge", help: "Serving threads." },
  cubby_connections: { type: "gauge", help: "Open connections." },
  cubby_requests_in_flight: {
    type: "gauge",
    help: "Requests in progress, including downloads and event streams.",
  },
  cubby_requests_total: {
    type: "counter",
    help: "Requests, by route pattern, method and status class.",
  },
  cubby_request_duration_seconds: {
    type: "histogram",
    help: "Time from the arrival of a request to the headers of its answer, by route pattern.",
  },
  cubby_request_body_bytes_total: {
    type: "counter",
    help: "Bytes of request bodies, by their Content-Length.",
  },
  cubby_response_body_bytes_total: {
    type: "counter",
    help: "Bytes of answers with a Content-Length: files, ranges, stored archives.",
  },
  cubby_offloaded_total: { type: "counter", help: "Downloads that a proxy sends." },
  cubby_uploads_total: { type: "counter", help: "Files that were uploaded or saved." },
  cubby_uploaded_bytes_total: {
    type: "counter",
    help: "Bytes of files that were uploaded or saved.",
  },
  cubby_password_checks_total: {
    type: "counter",
    help: "Password checks, by result: right, wrong, or refused after too many attempts.",
  },
  cubby_sessions_opened_total: { type: "counter", help: "Sessions opened." },
  cubby_jobs_running: { type: "gauge", help: "Copies, moves and deletions in progress." },
  cubby_jobs_ended_total: { type: "counter", help: "Jobs that ended, by state." },
  cubby_previews_total: {
    type: "counter",
    help: "Previews, by result: cached, made or refused.",
  },
  cubby_store_commit_duration_seconds: {
    type: "histogram",
    help: "Duration of writes to the store, retries included.",
  },
  cubby_store_errors_total: { type: "counter", help: "Failed reads and writes of the store." },
  cubby_event_loop_delay_seconds: {
    type: "histogram",
    help: "Delay of a timer in each serving thread, measured twice a second.",
  },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory." },
  process_open_fds: { type: "gauge", help: "Open file descriptors." },
  process_max_fds: { type: "gauge", help: "Maximum number of open file descriptors." },
} as const satisfies Record<string, Family>;

/** The name of a family. */
export type FamilyName = keyof typeof families;

/** The media type of the text format, version 0.0.4. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

/** Endings of the series of a histogram. */
const parts = /_(?:bucket|sum|count)$/;

/**
 * The text that Prometheus scrapes: each family with its description, then its series in the order
 * in which they were first counted.
 *
 * @param sums by the names of series with their labels
 */
export function exposition(sums: ReadonlyMap<string, number>): string {
  const byFamily = new Map<string, string[]>();
  for (const [series, value] of sums) {
    const name = series.replace(/\{.*/, "");
    const family = Object.hasOwn(families, name) ? name : name.replace(parts, "");
    const lines = byFamily.get(family) ?? [];
    lines.push(`${series} ${value}`);
    byFamily.set(family, lines);
  }
  const described: [string, Family][] = Object.entries(families);
  return described.flatMap(([name, { type, help }]) => {
    const lines = byFamily.get(name);
    return lines ? [`# HELP ${name} ${help}`, `# TYPE ${name} ${type}`, ...lines] : [];
  }).join("\n") + "\n";
}
