/** How two passwords that are to be alike stand: "" while both are empty. */
export function matchOf(password: string, again: string): "" | "yes" | "no" {
  if (password === "" && again === "") return "";
  return password === again ? "yes" : "no";
}
