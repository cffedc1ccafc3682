/** The description of a family of series, for the lines `HELP` and `TYPE`. */
export interface Family {
  type: "counter" | "gauge" | "histogram";
  help: string;
}

/** Every family, in the order of the answer. */
export const families = {
  cubby_info: { type: "gauge", help: "The program's version and that of Deno; always 1." },
  cubby_start_time_seconds: { type: "gauge", help: "Start of the process, as Unix time." },
  cubby_threads: { type: "gauge", help: "Threads that serve." },
  cubby_connections: { type: "gauge", help: "Open connections." },
  cubby_requests_in_flight: {
    type: "gauge",
    help: "Requests whose answer is not complete, downloads and event streams among them.",
  },
  cubby_requests_total: {
    type: "counter",
    help: "Requests, by the route's pattern, the method and the class of the status.",
  },
  cubby_request_duration_seconds: {
    type: "histogram",
    help: "From a request's arrival to the headers of its answer, by the route's pattern.",
  },
  cubby_request_body_bytes_total: {
    type: "counter",
    help: "Bytes of request bodies, as their headers announce them.",
  },
  cubby_response_body_bytes_total: {
    type: "counter",
    help: "Bytes of answers whose headers announce a length: files, ranges, stored archives.",
  },
  cubby_offloaded_total: { type: "counter", help: "Downloads whose bytes a proxy sends." },
  cubby_uploads_total: { type: "counter", help: "Files that were uploaded or saved." },
  cubby_uploaded_bytes_total: { type: "counter", help: "Bytes of these files." },
  cubby_password_checks_total: {
    type: "counter",
    help: "Passwords that were right, wrong, or not looked at for too many guesses.",
  },
  cubby_sessions_opened_total: { type: "counter", help: "Sessions that were opened." },
  cubby_jobs_running: { type: "gauge", help: "Copies, moves and deletions at work." },
  cubby_jobs_ended_total: { type: "counter", help: "Jobs that are over, by their state." },
  cubby_previews_total: {
    type: "counter",
    help: "Previews from the cache, newly made, or refused.",
  },
  cubby_store_commit_duration_seconds: {
    type: "histogram",
    help: "Time of a write to the store, its retries while it is locked included.",
  },
  cubby_store_errors_total: { type: "counter", help: "Reads and writes of the store that failed." },
  cubby_event_loop_delay_seconds: {
    type: "histogram",
    help: "How late a timer of each serving thread is, looked at twice a second.",
  },
  process_resident_memory_bytes: { type: "gauge", help: "Resident memory." },
  process_open_fds: { type: "gauge", help: "Open file descriptors." },
  process_max_fds: { type: "gauge", help: "Most open file descriptors." },
} as const satisfies Record<string, Family>;

/** The name of a family. */
export type FamilyName = keyof typeof families;
