/** An office server with editors for browsers: pages that post messages and save by WOPI. */

/** The formats that it edits. */
const formats = ["docx", "xlsx", "pptx", "odt", "ods", "odp"];

/** How the page of an editor behaves. */
export type EditorMood =
  /** As editors do. */
  | "usual"
  /** Its saves fail. */
  | "full"
  /** It says nothing. */
  | "silent"
  /** Its page never arrives. */
  | "hanging"
  /** It leads to another address. */
  | "moved";

/** An office server with editors, on this machine. */
export interface EditorHost extends AsyncDisposable {
  url: string;
  /** How editors behave that are opened from now on. */
  mood: EditorMood;
  /** The addresses that browsers have asked for, with their queries. */
  readonly asked: readonly string[];
  /** The forms that browsers have posted. */
  readonly posted: readonly { token: string; ttl: string }[];
}

/** Starts it. It signs no requests. */
export function startEditorHost(): EditorHost {
  const asked: string[] = [];
  const posted: { token: string; ttl: string }[] = [];
  const waiting = new Set<(answer: Response) => void>();
  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, answer);
  const url = `http://127.0.0.1:${server.addr.port}`;
  const host: EditorHost = {
    ...{ url, asked, posted, mood: "usual" },
    async [Symbol.asyncDispose]() {
      for (const settle of waiting) settle(new Response(null, { status: 503 }));
      await server.shutdown();
    },
  };
  return host;

  async function answer(req: Request): Promise<Response> {
    const { pathname, search, searchParams } = new URL(req.url);
    asked.push(pathname + search);
    if (pathname === "/hosting/discovery") return new Response(description());
    if (pathname === "/other") return new Response("Another page");
    const source = searchParams.get("WOPISrc") ?? "";
    if (pathname === "/save") {
      const { token, text } = await req.json();
      return Response.json({ success: await save(source, token, text) });
    }
    if (pathname === "/rename") {
      const { token, name } = await req.json();
      return Response.json(await rename(source, token, name));
    }
    if (!/^\/(editor|viewer)\//.test(pathname) || req.method !== "POST") {
      return new Response(null, { status: 404 });
    }
    const form = await req.formData();
    const token = String(form.get("access_token"));
    posted.push({ token, ttl: String(form.get("access_token_ttl")) });
    if (host.mood === "hanging") {
      const { promise, resolve } = Promise.withResolvers<Response>();
      waiting.add(resolve);
      return await promise;
    }
    if (host.mood === "moved") {
      return Response.redirect(`http://localhost:${server.addr.port}${pathname}${search}`, 307);
    }
    const info = await (await fetch(`${source}?access_token=${token}`)).json();
    const content = await (await fetch(`${source}/contents?access_token=${token}`)).text();
    const data = { mood: host.mood, source, token, info, content };
    return new Response(editorPage(data), { headers: { "content-type": "text/html" } });
  }

  function description(): string {
    const actions = formats.map((ext) =>
      `<app name="${ext}">` +
      `<action name="edit" ext="${ext}" ` +
      `urlsrc="${url}/editor/${ext}?&lt;ui=UI_LLCC&amp;&gt;&lt;thm=THEME_ID&amp;&gt;"/>` +
      `<action name="view" ext="${ext}" urlsrc="${url}/viewer/${ext}?"/></app>`
    );
    return `<?xml version="1.0" encoding="utf-8"?><wopi-discovery>` +
      `<net-zone name="external-http">${actions.join("")}</net-zone></wopi-discovery>`;
  }
}

async function operate(source: string, token: string, headers: Record<string, string>) {
  const query = `?access_token=${encodeURIComponent(token)}`;
  const { method = "POST", body = "", rest = "", ...others } = headers;
  const answer = await fetch(`${source}${rest}${query}`, { method, headers: others, body });
  return { status: answer.status, text: await answer.text() };
}

async function save(source: string, token: string, body: string): Promise<boolean> {
  const lock = { "x-wopi-lock": "editor" };
  await operate(source, token, { ...lock, "x-wopi-override": "LOCK" });
  const put = { ...lock, "x-wopi-override": "PUT", rest: "/contents", body };
  const { status } = await operate(source, token, put);
  await operate(source, token, { ...lock, "x-wopi-override": "UNLOCK" });
  return status === 200;
}

async function rename(source: string, token: string, name: string): Promise<{ Name: string }> {
  const headers = { "x-wopi-override": "RENAME_FILE", "x-wopi-requestedname": name };
  return JSON.parse((await operate(source, token, headers)).text);
}

interface EditorData {
  mood: EditorMood;
  source: string;
  token: string;
  info: Record<string, unknown>;
  content: string;
}

/** The page of an editor: a text, and what its menus would do. */
function editorPage(data: EditorData): string {
  const json = JSON.stringify(data).replaceAll("<", "\\u003c");
  return `<!doctype html>
<html lang="en">
<title>Editor</title>
<style>
  body { font: 16px sans-serif; margin: 0; padding: 1rem; background: #e8eef7; color: #123 }
  textarea { display: block; inline-size: 100%; block-size: 12rem; box-sizing: border-box }
</style>
<textarea id="text" aria-label="Document"></textarea>
<button id="save">Save</button>
<button id="close">Close</button>
<button id="share">Share</button>
<button id="versions">Versions</button>
<button id="rename">Rename</button>
<script>(${runEditor.toString()})(${json})</script>
</html>`;
}

/** Runs in the page of the editor. */
function runEditor({ mood, source, token: first, info, content }: EditorData): void {
  let token = first;
  const text = document.getElementById("text") as HTMLTextAreaElement;
  const origin = String(info.PostMessageOrigin);
  const page = globalThis as unknown as {
    heard: { MessageId: string; Values: Record<string, unknown> }[];
    views: unknown;
    say: (MessageId: string, Values?: unknown) => void;
  };
  page.heard = [];
  page.views = [{ ViewId: 1, UserName: info.UserFriendlyName, UserId: info.UserId }];
  page.say = (MessageId, Values = {}) => {
    if (mood === "silent") return;
    const message = JSON.stringify({ MessageId, SendTime: Date.now(), Values });
    globalThis.parent.postMessage(message, origin);
  };
  text.value = content;
  text.readOnly = info.UserCanWrite !== true;
  const call = async (path: string, body: unknown) => {
    const query = `?${new URLSearchParams({ WOPISrc: source })}`;
    const answer = await fetch(path + query, { method: "POST", body: JSON.stringify(body) });
    return await answer.json();
  };
  const save = async () => {
    const { success } = mood === "full"
      ? { success: false }
      : await call("/save", { token, text: text.value });
    if (success) page.say("Doc_ModifiedStatus", { Modified: false });
    page.say("Action_Save_Resp", { success, result: success ? "" : "disk full" });
  };
  let hasLoaded = false;
  addEventListener("message", ({ origin: from, data }) => {
    if (from !== origin) return;
    const message = JSON.parse(data);
    page.heard.push(message);
    if (message.MessageId === "Host_PostmessageReady" && !hasLoaded) {
      hasLoaded = true;
      page.say("App_LoadingStatus", { Status: "Frame_Ready" });
      page.say("App_LoadingStatus", { Status: "Document_Loaded" });
    }
    if (message.MessageId === "Get_Views") page.say("Get_Views_Resp", page.views);
    if (message.MessageId === "Action_Save") void save();
    if (message.MessageId === "Reset_Access_Token") token = message.Values.token;
  });
  text.addEventListener("input", () => page.say("Doc_ModifiedStatus", { Modified: true }));
  const onClick = (id: string, act: () => void) =>
    document.getElementById(id)?.addEventListener("click", act);
  onClick("save", () => void save());
  onClick("close", () => page.say("UI_Close"));
  onClick("share", () => page.say("UI_Share"));
  onClick("versions", () => page.say("UI_FileVersions"));
  onClick("rename", async () => {
    const { Name } = await call("/rename", { token, name: "renamed" });
    page.say("File_Rename", { NewName: Name });
  });
}
