import { useResuming, useSession } from "../core/use_site.ts";
import { useLate } from "../core/use_late.ts";

const load = () => import("./late_sign_in.ts");

/** Where the user signs in again when the session has run out under the page. */
export function SignInSlot() {
  const session = useSession();
  const resumes = useResuming();
  const ended = resumes && session.ended.value === "expired";
  const late = useLate(ended, load);
  return ended && late ? <late.SignInPrompt /> : null;
}
