/** Prints which implementation of bcrypt this process can use, after using it. */
import { openPasswords } from "../../../../../lib/server/features/accounts/passwords/passwords.ts";

const passwords = await openPasswords();
const hash = await passwords.hash("rainy tuesdays");
const right = await passwords.verify("rainy tuesdays", hash);
const wrong = await passwords.verify("rainy mondays", hash);
console.log(`${passwords.backend}: ${right} ${wrong}`);
passwords.close();
