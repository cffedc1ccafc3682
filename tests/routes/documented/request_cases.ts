import { asking, type Case, type Scene } from "./case.ts";

const type = "application/offset+octet-stream";
const other = { headers: { "tus-resumable": "0.2.2" } };

/** The calls about requests for files. */
export async function requestCases(scene: Scene): Promise<Case[]> {
  const { app, guarded } = scene;
  const { user, token } = await app.addUser("requester");
  const whole = { userId: user.id, path: "/", place: "/" } as Parameters<
    typeof app.cubby.requests.create
  >[0];
  const open = await app.cubby.requests.create(whole, {
    limits: { maxFileSize: 9, kinds: ["txt"] },
  });
  const changed = await app.cubby.requests.create(whole, {});
  const ended = await app.cubby.requests.create(whole, {});
  const closed = await app.cubby.requests.create(whole, { password: "open sesame" });
  const asked = await guarded.cubby.requests.create({ ...whole, userId: 1 }, {});
  const guess = { json: { password: "wrong" }, token: "", from: "192.0.2.9" };
  for (let time = 0; time < 5; time++) {
    const answer = await app.call("POST", `/api/public/request/${closed.hash}`, guess);
    await answer.body?.cancel();
  }
  const entered = await app.call("POST", `/api/public/request/${open.hash}`, { json: {} });
  const pass = { "x-request-token": (await entered.json()).token };
  const metadata = { "upload-metadata": `filename ${btoa("sent.txt")}` };
  const beginning = (length: number, more: Record<string, string> = {}) => ({
    token: "",
    headers: { ...pass, ...metadata, "upload-length": `${length}`, ...more },
  });
  const bytes = (offset: number, more: Record<string, string> = {}) => ({
    token: "",
    headers: { ...pass, "upload-offset": `${offset}`, "content-type": type, ...more },
    body: "abc",
  });
  const files = `/api/public/request/${open.hash}/files`;
  const begun = await app.call("POST", files, beginning(6));
  const id = begun.headers.get("location")?.split("/").at(-1) ?? "";
  // One without a byte loses its place within a minute.
  const { body } = await app.call("PATCH", `${files}/${id}`, { ...bytes(0), body: "a" });
  await body?.cancel();
  return [...owning(), ...entering(), ...sending()];

  function owning(): Case[] {
    const all = asking("listRequests", "/api/requests", scene);
    const list = asking("listRequestsOf", "/api/request", scene);
    const make = asking("requestFiles", "/api/request", scene);
    const change = asking("changeRequest", "/api/request/", scene);
    const end = asking("endRequest", "/api/request/", scene);
    return [
      all("200 application/json", "", { token }),
      list("400 invalid_path", "/%zz"),
      list("404 not_found", "/none"),
      list("400 invalid_option", "/?limit=x", { token }),
      all("400 invalid_option", "?limit=x", { token }),
      list("200 application/json", "/", { token }),
      make("400 invalid_path", "/%zz"),
      make("400 invalid_password", "/photos", { json: { password: "a".repeat(73) } }),
      make("404 not_found", "/a.txt"),
      make("200 application/json", "/photos", { json: { maxFiles: 3, kinds: ["JPG"] } }),
      change("400 invalid_body", changed.hash, { json: { maxFiles: -1 } }),
      change("400 invalid_path", "%zz", { json: {} }),
      change("400 invalid_password", changed.hash, { json: { password: "a".repeat(73) } }),
      change("404 not_found", "none", { json: {} }),
      change("200 application/json", changed.hash, { token, json: { note: "Thank you" } }),
      end("400 invalid_path", "%zz"),
      end("404 not_found", "none"),
      end("200 text/plain", ended.hash, { token }),
    ];
  }

  function entering(): Case[] {
    const ask = asking("openRequest", "/api/public/request/", scene);
    return [
      ask("401 password_required", closed.hash, { json: {} }),
      ask("403 wrong_credentials", asked.hash, { json: {}, token: "" }, guarded),
      ask("404 not_found", "none", { json: {} }),
      ask("429 throttled", closed.hash, guess),
      ask("200 application/json", open.hash, { json: {}, token: "" }),
    ];
  }

  function sending(): Case[] {
    const begin = asking("beginReceived", files, scene);
    const stateOf = asking("receivedState", files, scene);
    const go = asking("continueReceived", files, scene);
    const drop = asking("dropReceived", files, scene);
    const gone = asking("beginReceived", "/api/public/request/none/files", scene);
    const bare = { token: "" };
    return [
      begin("400 invalid_option", "", { token: "", headers: pass }),
      begin("401 password_required", "", bare),
      gone("404 not_found", "", bare),
      begin("412 precondition_failed", "", other),
      begin("413 body_too_large", "", beginning(10)),
      begin(
        "415 wrong_content_type",
        "",
        beginning(3, { "upload-metadata": `filename ${btoa("sent.exe")}` }),
      ),
      begin("201", "", beginning(0)),
      stateOf("401 password_required", `/${id}`, bare),
      stateOf("404 not_found", "/none", { token: "", headers: pass }),
      stateOf("412 precondition_failed", `/${id}`, other),
      stateOf("200", `/${id}`, { token: "", headers: pass }),
      go("400 invalid_option", `/${id}`, bytes(NaN)),
      go("401 password_required", `/${id}`, bare),
      go("404 not_found", "/none", bytes(0)),
      go("409 wrong_offset", `/${id}`, bytes(2)),
      go("412 precondition_failed", `/${id}`, other),
      go("413 body_too_large", `/${id}`, { ...bytes(1), body: "1234567" }),
      go("415 wrong_content_type", `/${id}`, bytes(1, { "content-type": "text/plain" })),
      go("204", `/${id}`, bytes(1)),
      drop("401 password_required", `/${id}`, bare),
      drop("412 precondition_failed", `/${id}`, other),
      drop("204", `/${id}`, { token: "", headers: pass }),
      drop("404 not_found", `/${id}`, { token: "", headers: pass }),
    ];
  }
}
