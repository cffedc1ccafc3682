import { asking, type Case, type Scene } from "./case.ts";

/** The calls about the activity log, which none of the servers keeps. */
export function auditCases(scene: Scene): Case[] {
  const list = asking("listActivity", "/api/audit", scene);
  const send = asking("exportActivity", "/api/audit/export", scene);
  const history = asking("entryHistory", "/api/history", scene);
  return [
    list("400 invalid_option", "?action=dance"),
    list("200 application/json", "?limit=2&since=2026-01-01"),
    send("400 invalid_option", "?format=pdf"),
    send("200 text/csv", ""),
    send("200 application/jsonl", "?format=json"),
    history("400 invalid_path", "/%00"),
    history("404 not_found", "/none"),
    history("501 not_supported", "/"),
  ];
}
