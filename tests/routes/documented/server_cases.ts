import { maxProbe } from "../../../lib/shared/schemas/server_check.ts";
import { asking, type Case, type Scene } from "./case.ts";

/** The call that runs programs, but for opening its WebSocket. */
export function commandCases(scene: Scene): Case[] {
  const { commanding, sandboxless } = scene;
  const ask = asking("command", "/api/command", scene);
  return [
    ask("400 invalid_path", "/%00", {}, commanding),
    ask("400 invalid_option", "/", {}, commanding),
    ask("404 not_found", "/none", {}, commanding),
    ask("501 not_supported", "/", {}, sandboxless),
  ];
}

/** The call that tells of changes, but for its endless answer. */
export function watchCases(scene: Scene): Case[] {
  const ask = asking("watch", "/api/watch", scene);
  return [
    ask("400 invalid_path", "/%00"),
    ask("404 not_found", "/a.txt"),
  ];
}

/** The calls that tell of the server. */
export function serverCases(scene: Scene): Case[] {
  const usage = asking("usage", "/api/usage", scene);
  const size = asking("size", "/api/size", scene);
  const some = asking("sizeOfSome", "/api/size", scene);
  const sizes = asking("sizes", "/api/sizes", scene);
  const chosen = { body: JSON.stringify({ names: ["a.txt", "photos"] }) };
  const health = asking("health", "/health", scene);
  const ready = asking("ready", "/health/ready", scene);
  const document = asking("openApiDocument", "/api/openapi.json", scene);
  const metrics = asking("metrics", "/api/metrics", scene);
  const { metricsToken = "" } = scene.app.cubby.config;
  const nobody = { token: "" };
  const checks = asking("checkServer", "/api/check", scene);
  const probe = asking("probeUploads", "/api/check", scene);
  return [
    usage("400 invalid_path", "/%00"),
    usage("404 not_found", "/none"),
    usage("200 application/json", "/"),
    size("400 invalid_path", "/%00"),
    size("404 not_found", "/a.txt"),
    size("200 application/json", "/"),
    size("200 application/x-ndjson", "/", { headers: { accept: "application/x-ndjson" } }),
    some("400 invalid_body", "/", { body: '{"names": []}' }),
    some("400 invalid_path", "/", { body: '{"names": ["a/../../b"]}' }),
    some("404 not_found", "/none", chosen),
    some("200 application/json", "/", chosen),
    some("200 application/x-ndjson", "/", {
      ...chosen,
      headers: { accept: "application/x-ndjson" },
    }),
    sizes("400 invalid_body", "/", { body: '{"names": []}' }),
    sizes("400 invalid_path", "/", { body: '{"names": ["a/b"]}' }),
    sizes("404 not_found", "/a.txt", { body: "{}" }),
    sizes("200 application/x-ndjson", "/", { body: '{"names": ["photos"]}' }),
    checks("200 application/json", ""),
    probe("413 body_too_large", "", { body: new Uint8Array(maxProbe + 1) }),
    probe("200 text/plain", "", { body: "bytes" }),
    metrics("404 not_found", "", nobody, scene.guarded),
    metrics("200 text/plain", "", { headers: { authorization: `Bearer ${metricsToken}` } }),
    health("200 application/json", "", nobody),
    ready("200 application/json", "", nobody),
    document("200 application/json", "", nobody),
  ];
}
