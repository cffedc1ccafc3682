/**
 * The names in a header such as `Accept` or `Accept-Encoding`, lower case and in their order,
 * without those refused by `q=0` (RFC 9110, 12.4.2). Wildcards are returned as they are, not
 * expanded.
 */
export function acceptedNames(header: string | null): string[] {
  return (header ?? "").toLowerCase().split(",").flatMap((part) => {
    const [name = "", ...parameters] = part.split(";").map((piece) => piece.trim());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [name];
  });
}

/**
 * Whether the client accepts JSON by name. A wildcard does not count: curl and old scripts send
 * one, and expect plain text.
 */
export function acceptsJson(req: Request): boolean {
  return acceptedNames(req.headers.get("accept")).some((type) =>
    type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)
  );
}

/** Whether the client accepts newline-delimited JSON by name, to read values as they arrive. */
export function acceptsLines(req: Request): boolean {
  return acceptedNames(req.headers.get("accept")).includes("application/x-ndjson");
}
