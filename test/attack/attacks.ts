import type { Attack } from "./attack.ts";
import { boundaries } from "./boundaries/boundaries.ts";
import { doorsAttack } from "./doors.ts";
import { exchanges } from "./exchanges.ts";
import { expressions } from "./expressions.ts";
import { leftLines } from "./left-lines.ts";
import { mediaBombs } from "./media.ts";
import { hostileNodes } from "./nodes/hostile-nodes.ts";
import { outbound } from "./outbound.ts";
import { paths } from "./paths.ts";
import { providers } from "./providers.ts";
import { signIn } from "./sign-in.ts";
import { strangers } from "./strangers/strangers.ts";
import { tlsAttack } from "./tls.ts";

/** Everything that is tried against a farm. */
export const attacks: readonly Attack[] = [
  exchanges,
  paths,
  outbound,
  doorsAttack,
  signIn,
  providers,
  leftLines,
  boundaries,
  tlsAttack,
  expressions,
  mediaBombs,
  hostileNodes,
  strangers,
];
