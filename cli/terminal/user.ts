import { userInfo } from "node:os";
import type { World } from "./world.ts";

/** Who gives the command, also where `sudo` gives it for them. */
export const userAt = ({ env }: Pick<World, "env">): string => env.SUDO_USER ?? userInfo().username;
