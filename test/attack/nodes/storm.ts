import { setTimeout as pause } from "node:timers/promises";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import { pathToUri } from "../../../shared/files/location.ts";
import type { FarmProcesses } from "../../helpers/processes/farm-processes.ts";
import type { Random } from "../attack.ts";
import { createLiar, type Liar } from "./liar.ts";
import type { FieldLie } from "./lies.ts";
import type { Stage } from "./stage.ts";

/** Messages that one identity sends before it comes back as another node. */
const messagesALife = 2000;
/** Whoever lied so often is found out. */
const enough = 200;
const liarsAtOnce = 4;

export type Storm = {
  readonly farm: FarmProcesses;
  readonly stage: Stage;
  readonly random: Random;
  readonly count: (what: string) => void;
  readonly messages: number;
  readonly nextField: () => FieldLie | undefined;
  /** Hears how many messages were sent so far. */
  readonly tell: (sent: number) => void;
};

/** Sends all messages, by several liars at once; each comes back as another node once it was found out. */
export const createStorm = ({ farm, stage, random, count, messages, nextField, tell }: Storm) => {
  const fell: string[] = [];
  const liars = new Set<Liar>();
  const past: string[] = [];
  let [ended, quarantined, lives] = [0, 0, 0];
  const uris = ["in.wav", "precious.wav", "honest-0/in.wav"].map((name) => pathToUri(stage.at(name), "posix"));
  const sent = (): number => [...liars].reduce((sum, liar) => sum + liar.sent(), ended);
  const newLiar = (): Liar => {
    lives += 1;
    const { victim } = stage;
    return createLiar({
      ...{ url: decodeJoinToken(farm.joinToken).url, joinToken: farm.joinToken, random, count, past, nextField },
      fell: (what) => void fell.push(what),
      ...{ uris: [...uris, "file:///etc/shadow", "file:///victim/out-granted/granted.mov"], others: victim.held },
      othersAsked: victim.asked,
      ...{ name: `liar ${lives}`, names: ["honest", "victim", "liar 1", "owner", "__proto__"] },
    });
  };
  const live = async (): Promise<void> => {
    while (sent() < messages) {
      const liar = newLiar();
      liars.add(liar);
      for (let nr = 0; nr < 4; nr += 1) await stage.submitAnybodys();
      if (lives % 8 === 0) await stage.submitHonest();
      await liar.begin();
      while (liar.sent() < messagesALife && sent() < messages) {
        await liar.burst(random.integer(1, 60));
        tell(sent());
      }
      const why = await foundOut(farm, liar);
      if (why !== undefined) {
        quarantined += 1;
        count(`quarantined: ${kindOf(why)}`);
      } else if (liar.sent() >= enough) fell.push(`${liar.name} lied ${liar.sent()} times and was not found out`);
      await liar.end();
      ended += liar.sent();
      liars.delete(liar);
      await revoke(farm, liar);
    }
  };
  return {
    liars: (): number[] => [...liars].flatMap((liar) => liar.nodeId() ?? []),
    run: async () => {
      await Promise.all(Array.from({ length: liarsAtOnce }, live));
      return { fell, sent: sent(), lives, quarantined };
    },
  };
};

/** Why the liar is in quarantine, once it is. */
const foundOut = async (farm: FarmProcesses, liar: Liar): Promise<string | undefined> => {
  for (let nr = 0; nr < 20; nr += 1) {
    const { items } = await farm.client.listNodes({});
    const node = items.find(({ id }) => id === String(liar.nodeId()));
    if (node?.health.state === "quarantined" && node.health.why) return node.health.why;
    await pause(50);
  }
  return undefined;
};

/** A reason without what is different each time. */
const kindOf = (why: string): string =>
  (/last time it ([^)]*)/.exec(why)?.[1] ?? why).replace(/file:\S*|\d+/g, "…").slice(0, 60);

const revoke = async (farm: FarmProcesses, liar: Liar): Promise<void> => {
  const id = liar.nodeId();
  if (id !== undefined) await farm.client.revokeNode({ node_id: String(id) }).catch(() => undefined);
};
