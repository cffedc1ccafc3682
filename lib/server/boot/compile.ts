/**
 * `cubby-files compile`: compiles the scripts of an installed package, so that no start of the
 * server has to. Installers run it as the account that owns the program.
 */
import { compilePackage } from "./build.ts";
import { refuseInOneLine } from "../core/config/refusal.ts";

const compile = () => compilePackage((text) => console.log(text));

if (import.meta.main) await refuseInOneLine(compile, "Cannot compile");
