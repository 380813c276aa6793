import { setPriority } from "node:os";
import { kinds } from "./kinds.ts";
import type { Kind } from "./ways.ts";
import type { World } from "./world.ts";

// One kind of attacker in a process of its own, until it is killed. It gives way to everybody else on the machine: what is
// measured is what the farm does about it, not who gets the processor.
setPriority(19);
const [name = "", world = ""] = process.argv.slice(2);
process.on("uncaughtException", () => undefined); // sockets that are cut off
const kind: Kind = kinds[name as keyof typeof kinds];
await kind.does(JSON.parse(world) as World);
