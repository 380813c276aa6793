import { join } from "node:path";
import { root } from "../bundle.ts";
import { makeClients } from "./make.ts";

/** `npm run package:clients`: the clients for TypeScript and Python alone, in `.build/package`. */
for (const file of makeClients(join(root, ".build/package"))) console.log(file);
