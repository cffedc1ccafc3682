import { createHash } from "node:crypto";
import type { CallOptions } from "../../support/server/app.ts";
import { asking, brokenBody, type Case, type Scene } from "./case.ts";

const type = "application/offset+octet-stream";
const other = { headers: { "tus-resumable": "0.2.2" } };

function beginning(length: number, body?: string, more: Record<string, string> = {}): CallOptions {
  const bytes: Record<string, string> = body === undefined ? {} : { "content-type": type };
  return { headers: { "upload-length": `${length}`, ...bytes, ...more }, body };
}

function going(offset: number, body: string, more: Record<string, string> = {}): CallOptions {
  return { headers: { "upload-offset": `${offset}`, "content-type": type, ...more }, body };
}

const sumOf = (text: string) => createHash("sha256").update(text).digest("base64");

/** The calls of uploads that can go on. */
export function uploadCases(scene: Scene): Case[] {
  const state = asking("uploadState", "/api/tus", scene);
  const begin = asking("beginUpload", "/api/tus", scene);
  const go = asking("continueUpload", "/api/tus", scene);
  const drop = asking("dropUpload", "/api/tus", scene);
  const many = asking("uploadMany", "/api/uploads", scene);
  const list = '{"files": [{"path": "many.txt", "size": 3}]}\n';
  const damaged = { "upload-checksum": `sha256 ${sumOf("other")}` };
  const broken = () => ({ ...brokenBody(), headers: going(0, "").headers });
  return [
    many("400 invalid_path", "/a%2Fb"),
    many("400 invalid_option", "/?job=short", { body: `${list}abc` }),
    many("400 invalid_json", "/", { body: "{]\n" }),
    many("400 invalid_body", "/", { body: `${list}ab` }),
    many("413 body_too_large", "/", { body: "x".repeat(2 ** 20 + 1) }),
    many("200 application/json", "/", { body: `${list}abc` }),

    begin("400 invalid_path", "/a%2Fb", beginning(3)),
    begin("400 invalid_name", `/${"n".repeat(300)}`, beginning(3)),
    begin("400 invalid_option", "/up.bin"),
    begin(
      "400 invalid_body",
      "/up.bin",
      () => ({ ...broken(), headers: { ...beginning(3, "").headers } }),
    ),
    begin("403 not_a_file", "/pipe?override=true", beginning(3)),
    begin("409 exists", "/a.txt", beginning(3)),
    begin("409 is_folder", "/photos?override=true", beginning(3)),
    begin("412 precondition_failed", "/up.bin", other),
    begin("413 body_too_large", "/up.bin", beginning(3, "four")),
    begin("460 checksum_mismatch", "/up.bin", beginning(3, "abc", damaged)),
    begin("403 hook_failed", "/up.bin", beginning(0), scene.hooking),
    begin("201", "/made/by/tus/"),
    begin("201", "/whole.bin", beginning(3, "abc")),
    begin("201", "/up.bin", beginning(6)),

    state("400 invalid_path", "/%00"),
    state("404 not_found", "/none"),
    state("412 precondition_failed", "/up.bin", other),
    state("200", "/up.bin"),

    go("400 invalid_path", "/%00", going(0, "abc")),
    go("400 invalid_option", "/up.bin", going(NaN, "abc")),
    go("400 invalid_body", "/up.bin", broken),
    go("404 not_found", "/none", going(0, "abc")),
    go("409 wrong_offset", "/up.bin", going(2, "abc")),
    go("412 precondition_failed", "/up.bin", other),
    go("413 body_too_large", "/up.bin", going(0, "1234567")),
    go("415 wrong_content_type", "/up.bin", going(0, "abc", { "content-type": "text/plain" })),
    go("460 checksum_mismatch", "/up.bin", going(0, "abc", damaged)),
    go("204", "/up.bin", going(0, "abc", { "upload-checksum": `sha256 ${sumOf("abc")}` })),

    drop("400 invalid_path", "/%00"),
    drop("412 precondition_failed", "/up.bin", other),
    drop("204", "/up.bin"),
    drop("404 not_found", "/up.bin"),
  ];
}
