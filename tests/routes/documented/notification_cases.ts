import { asking, type Case, type Scene } from "./case.ts";

/** The calls about one's own notifications. */
export async function notificationCases(scene: Scene): Promise<Case[]> {
  const { user, token } = await scene.app.addUser("notified");
  const { records } = scene.app.cubby.notifications;
  const at = Date.now();
  await records.add(user.id, [
    { kind: "received", at, who: "Anna", name: "Invoices", count: 3, bytes: 9 },
    { kind: "job_failed", at: at - 1, action: "copy", name: "a.txt", count: 4, failed: 1 },
  ]);
  const [one, two] = (await records.list(user.id)).map(({ id }) => `/${id}`);
  const list = asking("listNotifications", "/api/notifications", scene);
  const markAll = asking("markNotifications", "/api/notifications", scene);
  const clear = asking("clearNotifications", "/api/notifications", scene);
  const mark = asking("markNotification", "/api/notifications", scene);
  const remove = asking("removeNotification", "/api/notifications", scene);
  const json = { read: true };
  const marking = [[markAll, ""], [mark, one ?? ""]] as const;
  return [
    list("400 invalid_option", "?before=yesterday", { token }),
    list("200 application/json", "?limit=1", { token }),
    list("304", "", { token, headers: { "if-none-match": "*" } }),
    list("412 precondition_failed", "", { token, headers: { "if-match": '"other"' } }),
    ...marking.flatMap(([ask, rest]) => [
      ask("400 invalid_body", rest, { token, json: { read: "yes" } }),
      ask("200 text/plain", rest, { token, json }),
    ]),
    mark("404 not_found", "/none", { token, json }),
    remove("404 not_found", "/none", { token }),
    remove("200 text/plain", two ?? "", { token }),
    clear("200 text/plain", "", { token }),
  ];
}
