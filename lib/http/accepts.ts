/**
 * Whether the caller asks for JSON by name. A wildcard does not count: curl and old scripts send
 * one, and read a sentence.
 */
export function acceptsJson(req: Request): boolean {
  const accept = req.headers.get("accept") ?? "";
  return accept.split(",").some((part) => {
    const [type = "", ...parameters] = part.toLowerCase().split(";").map((piece) => piece.trim());
    if (type !== "application/json" && !/^application\/[\w.-]+\+json$/.test(type)) return false;
    return !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter));
  });
}
