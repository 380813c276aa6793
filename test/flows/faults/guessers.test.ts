import { type IncomingMessage, request } from "node:http";
import { text } from "node:stream/consumers";
import { expect, test } from "vitest";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { addressOf } from "../../attack/strangers/means.ts";
import { signInAsOwner } from "../../attack/strangers/world.ts";
import { aSmallJob } from "../../helpers/farm/farm.ts";
import type { Job } from "../../helpers/farm/job-builders.ts";
import { times } from "../../helpers/long.ts";
import { type FarmProcesses, startFarm } from "../../helpers/processes/farm-processes.ts";

const guessers = times(40, 40, 150);
const password = "a long password";
/** Full-width letters: another spelling of the same name (Unicode, NFKC). */
const wide = (name: string): string =>
  name.replaceAll(/[!-~]/g, (letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));

type Answer = { readonly status: number; readonly body: Record<string, unknown> };

/** Signs in from an address of loopback, of which there are as many as one likes. */
const signInFrom = (farm: FarmProcesses, localAddress: string, name: string, given: string): Promise<Answer> =>
  new Promise((resolve, reject) => {
    const { origin } = new URL(farm.baseUrl);
    const headers = { "content-type": "application/json", origin };
    const asked = request(`${origin}${uiBase}/session`, { method: "POST", headers, localAddress, agent: false });
    asked.on("error", reject);
    asked.on("response", (response: IncomingMessage) =>
      text(response).then((said) => resolve({ status: response.statusCode ?? 0, body: JSON.parse(said) }), reject),
    );
    asked.end(JSON.stringify({ name, password: given }));
  });

/** Everybody guesses, each from an address of their own, as fast as they are answered, until `end`. */
const guess = (farm: FarmProcesses, names: readonly string[]) => {
  const seen = { answered: 0, statuses: new Set<number>() };
  let isOver = false;
  const all = Array.from({ length: guessers }, async (_, nr) => {
    for (let at = 0; !isOver; at += 1) {
      const name = names[(nr + at) % names.length] ?? "";
      const { status } = await signInFrom(farm, `127.0.2.${1 + nr}`, name, `guess ${at}`);
      seen.answered += 1;
      seen.statuses.add(status);
    }
  });
  const until = async (least: number): Promise<void> => {
    while (seen.answered < least) await new Promise((resolve) => setTimeout(resolve, 20));
  };
  return {
    seen,
    until,
    end: async () => {
      isOver = true;
      await Promise.all(all);
    },
  };
};

test.each<[string, readonly string[]]>([
  ["at one name, in two spellings", ["Ada", wide("Ada")]],
  ["at several names, some of which nobody has", ["Ada", "Bob", wide("bob"), "Olga", "nobody", wide("nobody")]],
])(
  `while ${guessers} strangers guess %s, the right passwords get in, each before the guessers have had a turn`,
  async (_, names) => {
    await using farm = await startFarm();
    const cookie = await signInAsOwner(farm);
    const { origin } = new URL(farm.baseUrl);
    for (const name of ["Ada", "Bob"]) {
      const headers = { "content-type": "application/json", origin, cookie };
      const body = JSON.stringify({ name, password, role: "operator" });
      expect((await fetch(`${origin}${uiBase}/people`, { method: "POST", headers, body })).status).toBe(200);
    }
    const guessing = guess(farm, names);
    await guessing.until(guessers);

    for (const [name, spelled] of [
      ["Ada", "Ada"],
      ["Bob", "Bob"],
      ["Ada", wide("ADA")],
      ["Olga", "Olga"],
    ] as const) {
      const before = guessing.seen.answered;
      const { status, body } = await signInFrom(farm, addressOf(7), spelled, password);
      expect([status, body.name]).toEqual([200, name]);
      expect(guessing.seen.answered - before).toBeLessThan(guessers);
    }
    // Programs do not wait for people's passwords.
    const before = guessing.seen.answered;
    await farm.submit(aSmallJob() as Job);
    expect(guessing.seen.answered - before).toBeLessThan(guessers);

    await guessing.end();
    expect([...guessing.seen.statuses].filter((status) => status !== 401 && status !== 429)).toEqual([]);
  },
);

test("tries at one name by its spellings wait in one line: beyond it they are refused", async () => {
  await using farm = await startFarm();
  await signInAsOwner(farm);
  const spellings = ["Olga", wide("Olga"), "OLGA", " olga "];
  const tries = Array.from({ length: 40 }, (_, nr) =>
    signInFrom(farm, addressOf(1), spellings[nr % spellings.length] ?? "", `guess ${nr}`),
  );
  const statuses = (await Promise.all(tries)).map(({ status }) => status);
  // Each spelling alone would find room for its ten.
  expect(new Set(statuses)).toEqual(new Set([401, 429]));
  expect((await signInFrom(farm, addressOf(2), wide("Olga"), password)).body.name).toBe("Olga");
});
