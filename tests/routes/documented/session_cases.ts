import { userPassword } from "../../support/server/app.ts";
import { beginFlow } from "../../support/clients/ocs.ts";
import { enrol } from "../../support/clients/factors.ts";
import { asking, type Case, type Scene } from "./case.ts";

/** The calls that begin, prolong, list and end sessions. */
export async function sessionCases(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const { user, token } = await app.addUser("anna");
  const client = { address: "192.0.2.9", agent: "curl/8.0" };
  const { session } = await app.cubby.sessions.open(user, client);
  return [
    ...await loggingIn(scene),
    ...makingTickets(scene),
    ...await apiTokens(scene),
    ...await connectingApps(scene),
    ...listingAndEnding(scene, token, session.sid),
  ];
}

async function loggingIn(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const ask = asking("login", "/api/login", scene);
  await app.addUser("bea");
  await enrol(app, "cleo");
  const guess = { json: { username: "bea", password: "not the right one" }, from: "192.0.2.7" };
  for (let time = 0; time < 5; time++) await (await app.call("POST", "/api/login", guess)).text();
  return [
    ask("403 wrong_credentials", "", { json: { username: "nobody", password: "wrong" } }),
    ask("401 second_factor_required", "", { json: { username: "cleo", password: userPassword } }),
    ask("429 throttled", "", guess),
    ask("200 text/plain", "", { token: "", json: { username: "anna", password: userPassword } }),
  ];
}

function makingTickets(scene: Scene): Case[] {
  const ask = asking("makeTicket", "/api/ticket", scene);
  return [
    ask("400 invalid_json", "", { json: { path: "/" } }),
    ask("400 invalid_path", "", { json: { path: "/..", use: "raw" } }),
    ask("400 invalid_option", "", { json: { path: "/", use: "all" } }),
    ask("200 text/plain", "", { json: { path: "/a.txt", use: "raw" } }),
  ];
}

/** @param token of a user who also has the session `sid` */
function listingAndEnding(scene: Scene, token: string, sid: string): Case[] {
  const list = asking("listSessions", "/api/sessions", scene);
  const end = asking("endSession", "/api/sessions/", scene);
  const endOthers = asking("endOtherSessions", "/api/sessions", scene);
  const renew = asking("renew", "/api/renew", scene);
  const logout = asking("logout", "/api/logout", scene);
  return [
    list("400 invalid_option", "?limit=x", { token }),
    list("200 application/json", "", { token }),
    end("404 not_found", "none", { token }),
    end("200 text/plain", sid, { token }),
    endOthers("200 text/plain", "", { token }),
    renew("200 text/plain", "", { token }),
    logout("200 text/plain", "", { token }),
  ];
}

async function apiTokens(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const list = asking("listApiTokens", "/api/tokens", scene);
  const make = asking("makeApiToken", "/api/tokens", scene);
  const revoke = asking("revokeApiToken", "/api/tokens/", scene);
  const wary = await app.addUser("weary");
  const draft = { name: "backup", current_password: userPassword };
  const guess = { token: wary.token, json: { ...draft, current_password: "not the right one" } };
  for (let time = 0; time < 5; time++) {
    await (await app.call("POST", "/api/tokens", guess)).body?.cancel();
  }
  const { user, token } = await app.addUser("tess");
  const asked = { name: "old", write: true, share: true, expires: null };
  const made = await app.cubby.apiTokens.create(user.id, asked, null);
  const by = (more: object) => ({ token, json: { ...draft, ...more } });
  return [
    list("400 invalid_option", "?user=none", {}),
    list("404 not_found", "?user=4711", {}),
    list("403 forbidden", "?user=1", { token }),
    list("200 application/json", "", { token }),
    make("400 invalid_path", "", by({ folder: "/.." })),
    make("404 not_found", "", by({ folder: "/none" })),
    make("403 wrong_credentials", "", by({ current_password: "" })),
    make("429 throttled", "", guess),
    make("201 application/json", "", by({ folder: "/photos", expires: "2099-01-01T00:00:00Z" })),
    revoke("404 not_found", "none", { token }),
    revoke("200 text/plain", made.token.id, { token }),
  ];
}

async function connectingApps(scene: Scene): Promise<Case[]> {
  const { app } = scene;
  const connect = asking("connectApp", "/api/tokens/flows/", scene);
  const refuse = asking("refuseApp", "/api/tokens/flows/", scene);
  const { token } = await app.addUser("tilda");
  const wary = await app.addUser("theo");
  const [kept, refused] = [await beginFlow(app), await beginFlow(app)];
  const json = { current_password: "not the right one" };
  const guess = { token: wary.token, json, from: "192.0.2.71" };
  for (let time = 0; time < 5; time++) {
    await (await app.call("POST", `/api/tokens/flows/${kept.flow}`, guess)).body?.cancel();
  }
  return [
    connect("404 not_found", "none", { token, json: {} }),
    connect("400 invalid_path", kept.flow, { token, json: { folder: "/.." } }),
    connect("403 wrong_credentials", kept.flow, { token, json, from: "192.0.2.72" }),
    connect("429 throttled", kept.flow, guess),
    connect("200 text/plain", kept.flow, { token, json: { write: true } }),
    refuse("404 not_found", "none", { token }),
    refuse("200 text/plain", refused.flow, { token }),
  ];
}
