import type { PathFlavour } from "../../shared/files/location.ts";

/** How this machine writes paths. */
export const flavour: PathFlavour = process.platform === "win32" ? "win32" : "posix";
