import { asking, type Case, type Scene } from "./case.ts";

const longName = `/${"n".repeat(300)}`;
const otherTag = { headers: { "if-match": '"other"' }, body: "new" };
const tooShort = { headers: { "content-length": "99" }, body: "short" };

/** The calls that describe, make, write, copy, move and remove entries. */
export function resourceCases(scene: Scene): Case[] {
  return [describing, listingTrees, creating, saving, transferring, removing].flatMap((cases) =>
    cases(scene)
  );
}

function describing(scene: Scene): Case[] {
  const ask = asking("describe", "/api/resources", scene);
  return [
    ask("400 invalid_path", "/%00"),
    ask("400 invalid_option", "/?limit=some"),
    ask("403 not_a_file", "/pipe?checksum=md5"),
    ask("404 not_found", "/none"),
    ask("412 precondition_failed", "/a.txt", { headers: { "if-match": '"other"' } }),
    ask("304", "/a.txt", { headers: { "if-none-match": "*" } }),
    ask("200 application/json", "/"),
    ask("200 application/json", "/photos/?offset=1&limit=1&sort=size&order=desc"),
    ask("200 application/json", "/?around=a.txt&limit=1"),
    ask("200 application/json", "/a.txt?checksum=sha256"),
    ask("200 application/json", "/film.mkv"),
  ];
}

function listingTrees(scene: Scene): Case[] {
  const ask = asking("listTree", "/api/resources/recursive", scene);
  return [
    ask("400 invalid_path", "/%00"),
    ask("404 not_found", "/none"),
    ask("404 not_found", "/a.txt"),
    ask("200 application/json", "/photos"),
  ];
}

function creating(scene: Scene): Case[] {
  const ask = asking("create", "/api/resources", scene);
  return [
    ask("400 invalid_path", "/a%2Fb"),
    ask("400 invalid_name", longName, { body: "" }),
    ask("400 invalid_option", "/new.txt?job=short", { body: "new" }),
    ask("400 invalid_body", "/new.txt", tooShort),
    ask("403 not_a_file", "/pipe?override=true", { body: "new" }),
    ask("409 exists", "/a.txt", { body: "new" }),
    ask("409 is_folder", "/photos?override=true", { body: "new" }),
    ask("412 precondition_failed", "/a.txt?override=true", otherTag),
    ask("403 hook_failed", "/new.txt", { body: "new" }, scene.hooking),
    ask("200 text/plain", "/made/in/here/"),
    ask("200 text/plain", "/new.txt", { body: "new" }),
    ask("200 text/plain", "/new.txt?override=true", { body: "newer" }),
  ];
}

function saving(scene: Scene): Case[] {
  const ask = asking("save", "/api/resources", scene);
  return [
    ask("400 invalid_path", "/%E0%A4%A"),
    ask("400 invalid_name", longName, { body: "" }),
    ask("400 invalid_body", "/put.txt", tooShort),
    ask("403 not_a_file", "/pipe", { body: "new" }),
    ask("404 not_found", "/none", { body: "new" }),
    ask("409 is_folder", "/photos", { body: "new" }),
    ask("412 precondition_failed", "/put.txt", otherTag),
    ask("400 invalid_option", "/put.txt?encoding=none", { body: "new" }),
    ask("403 hook_failed", "/a.txt", { body: "new" }, scene.hooking),
    ask("200 text/plain", "/put.txt", { body: "new" }),
    ask("200 text/plain", "/put.txt?encoding=utf-16le-bom", { body: "newer" }),
  ];
}

function transferring(scene: Scene): Case[] {
  const ask = asking("transfer", "/api/resources", scene);
  const to = "?action=rename&destination=";
  return [
    ask("400 invalid_path", `/photos${to}/photos/old/in`),
    ask("400 invalid_name", `/move.txt${to}${longName}`),
    ask("400 invalid_option", "/move.txt?action=link&destination=/moved.txt"),
    ask("403 not_a_file", "/pipe?action=copy&destination=/piped"),
    ask("404 not_found", `/none${to}/moved.txt`),
    ask("409 exists", `/move.txt${to}/a.txt`),
    ask("403 hook_failed", `/a.txt${to}/b.txt`, {}, scene.hooking),
    ask("200 text/plain", "/move.txt?action=copy&destination=/a.txt&rename=true"),
    ask("200 text/plain", `/move.txt${to}/moved.txt`),
  ];
}

function removing(scene: Scene): Case[] {
  const ask = asking("remove", "/api/resources", scene);
  return [
    ask("400 invalid_path", "/a%2Fb"),
    ask("404 not_found", "/none"),
    ask("403 hook_failed", "/a.txt", {}, scene.hooking),
    ask("200 text/plain", "/remove.txt"),
  ];
}
