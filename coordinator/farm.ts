import type { Files } from "./files/files.ts";

/** Everything that work needs: what all rooms declare. Assembled by `openFarm`. */
export type Farm = Files;
