import type { Attack } from "./attack.ts";
import { doorsAttack } from "./doors.ts";
import { exchanges } from "./exchanges.ts";
import { expressions } from "./expressions.ts";
import { mediaBombs } from "./media.ts";
import { outbound } from "./outbound.ts";
import { paths } from "./paths.ts";
import { signIn } from "./sign-in.ts";
import { tlsAttack } from "./tls.ts";

/** Everything that is tried against a farm. */
export const attacks: readonly Attack[] = [
  exchanges,
  paths,
  outbound,
  doorsAttack,
  signIn,
  tlsAttack,
  expressions,
  mediaBombs,
];
