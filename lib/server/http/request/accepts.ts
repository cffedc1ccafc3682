/**
 * Whether the caller asks for JSON by name. A wildcard does not count: curl and old scripts send
 * one, and read a sentence.
 */
export function acceptsJson(req: Request): boolean {
  return namedTypes(req).some((type) =>
    type === "application/json" || /^application\/[\w.-]+\+json$/.test(type)
  );
}

/** Whether the caller asks by name for one JSON value a line, to read them as they come. */
export function acceptsLines(req: Request): boolean {
  return namedTypes(req).includes("application/x-ndjson");
}

/** The media types that a request accepts, lower case, without those it refuses with `q=0`. */
function namedTypes(req: Request): string[] {
  const accept = req.headers.get("accept") ?? "";
  return accept.split(",").flatMap((part) => {
    const [type = "", ...parameters] = part.toLowerCase().split(";").map((piece) => piece.trim());
    return parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter)) ? [] : [type];
  });
}
