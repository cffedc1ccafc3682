import { commandLineId } from "../../../lib/server/features/accounts/users/user.ts";
import { asking, type Case, type Scene } from "./case.ts";

/** The calls about invitations and reset links. */
export async function inviteCases(scene: Scene): Promise<Case[]> {
  const { app, open } = scene;
  const { token: busy } = await app.addUser("busy admin", { perm: { admin: true } });
  const from = "192.0.2.77"; // Others are not throttled with it.
  const guess = { token: busy, from, json: { current_password: "not the right one" } };
  for (let time = 0; time < 5; time++) {
    await (await app.call("POST", "/api/invites", guess)).body?.cancel();
  }
  const draft = { user: null, by: { id: commandLineId, username: "admin" }, hours: 1 };
  const make = async (username: string) => (await app.cubby.invites.create({ ...draft, username }));
  const [first, second] = [await make("an invited one"), await make("another invited one")];
  const current_password = app.admin.password;
  const list = asking("listInvites", "/api/invites", scene);
  const add = asking("makeInvite", "/api/invites", scene);
  const withdraw = asking("withdrawInvite", "/api/invites/", scene);
  const look = asking("openInvite", "/api/public/invite", scene);
  const use = asking("useInvite", "/api/public/invite", scene);
  const token = first.secret;
  const password = "herons at the river";
  const lost = { token: "none", password };
  const nobody = { token: "", from: "192.0.2.78" };
  const tried = { token: "", from, json: { token: "guessed" } };
  for (let time = 0; time < 5; time++) {
    await (await app.call("POST", "/api/public/invite", tried)).body?.cancel();
  }
  const free = (await app.cubby.invites.create({ ...draft, username: null })).secret;
  return [
    list("400 invalid_option", "?limit=x"),
    list("200 application/json", ""),
    add("403 wrong_credentials", "", { json: {} }),
    add("429 throttled", "", guess),
    add("404 not_found", "", { json: { userID: 999, current_password } }),
    add("409 exists", "", { json: { username: "admin", current_password } }),
    add("400 invalid_name", "", { json: { username: "a\nb", current_password } }),
    add("400 invalid_address", "", { json: { mail: "a@b.org,c@d.org", current_password } }),
    add("501 not_supported", "", { json: { mail: "ivy@example.org", current_password } }),
    add("201 application/json", "", { json: { username: "somebody new", current_password } }),
    withdraw("404 not_found", "none"),
    withdraw("200 text/plain", second.invite.id),
    look("404 not_found", "", { ...nobody, json: { token: "none" } }),
    look("429 throttled", "", tried),
    look("200 application/json", "", { ...nobody, json: { token } }),
    look("403 forbidden", "", { ...nobody, json: { token } }, open),
    use("404 not_found", "", { ...nobody, json: lost }),
    use("429 throttled", "", { ...tried, json: { token: "guessed", password } }),
    use("400 invalid_password", "", { ...nobody, json: { token, password: "short" } }),
    use("409 exists", "", { ...nobody, json: { token: free, password, username: "admin" } }),
    use("400 invalid_name", "", { ...nobody, json: { token: free, password, username: "a\nb" } }),
    use("200 text/plain", "", { ...nobody, json: { token, password } }),
  ];
}
