/** A captcha's verifier and widget, as reCAPTCHA v2 speaks, on a free port of this machine. */

/** A running verifier. */
export interface Verifier extends AsyncDisposable {
  /** Its origin, for `--recaptcha-host`. */
  host: string;
  key: string;
  secret: string;
  /** What it was asked, oldest first: the fields of each form. */
  asked: Record<string, string>[];
  /** Answers in place of the right answer, for as long as it is set. */
  instead?: () => Response | Promise<Response>;
  close(): Promise<void>;
}

/**
 * Starts a verifier that takes each proof "human-…" once, if it comes with the right secret. Its
 * widget is a button that gives such proofs, and tells how it was asked to look.
 */
export function startVerifier(): Verifier {
  const [key, secret] = ["a key for all", "a secret of two"];
  const used = new Set<string>();
  const asked: Verifier["asked"] = [];

  async function verify(req: Request): Promise<Response> {
    const form = Object.fromEntries(new URLSearchParams(await req.text()));
    asked.push(form);
    if (verifier.instead) return await verifier.instead();
    const { response = "" } = form;
    const success = form.secret === secret && /^human-/.test(response) && !used.has(response);
    used.add(response);
    const refusal = success ? {} : { "error-codes": ["invalid-input-response"] };
    return Response.json({ success, ...refusal });
  }

  const server = Deno.serve({ hostname: "127.0.0.1", port: 0, onListen: () => {} }, (req) => {
    const { pathname } = new URL(req.url);
    if (req.method === "POST" && pathname === "/recaptcha/api/siteverify") return verify(req);
    if (pathname !== "/recaptcha/api.js") return new Response(null, { status: 404 });
    return new Response(widget, { headers: { "content-type": "text/javascript" } });
  });
  const verifier: Verifier = {
    ...{ host: `http://127.0.0.1:${server.addr.port}`, key, secret, asked },
    close: () => server.shutdown(),
    [Symbol.asyncDispose]: () => server.shutdown(),
  };
  return verifier;
}

const widget = `
const widgets = [];
globalThis.grecaptcha = {
  ready: (then) => setTimeout(then),
  render(place, { sitekey, theme, size, callback }) {
    const button = document.createElement("button");
    button.type = "button";
    button.style.cssText = size === "compact" ? "width:164px;height:144px" : "width:304px;height:78px";
    button.style.color = button.style.borderColor = theme === "dark" ? "#eee" : "#222";
    button.style.background = theme === "dark" ? "#222" : "#f9f9f9";
    button.textContent = "I am human";
    button.dataset.theme = theme;
    button.dataset.sitekey = sitekey;
    button.onclick = () => {
      button.textContent = "Solved";
      widget.proof = "human-" + Math.random();
      callback?.(widget.proof);
    };
    const widget = { proof: "", button };
    place.append(button);
    return widgets.push(widget) - 1;
  },
  getResponse: (id) => widgets[id].proof,
  reset(id) {
    widgets[id].proof = "";
    widgets[id].button.textContent = "I am human";
  },
};
`;
