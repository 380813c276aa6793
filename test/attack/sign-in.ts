import { Secret } from "../../shared/basics/secret.ts";
import { aFolder } from "../helpers/agent/agent-fixture.ts";
import { openTestDoors } from "../helpers/farm/doors.ts";
import type { Attack, Tally } from "./attack.ts";

type Doors = Awaited<ReturnType<typeof openTestDoors>>;

const guessers = 4;
const minute = 60_000;
/** What the first free tries, and one a second, come to. */
const mostAMinute = 5 + guessers + minute / 1000;

/** Guesses at a name, as fast as they are answered: they stay slow, and the right password gets in. */
export const signIn: Attack = {
  name: "guessed passwords",
  run: async ({ tries }) => {
    const tallies: Tally[] = [];
    for (const name of ["Ada", "nobody"]) {
      await using stack = new AsyncDisposableStack();
      const folder = await aFolder();
      stack.defer(folder.remove);
      const doors = await openTestDoors(folder.path);
      stack.defer(doors.close);
      await doors.people.create("Ada", new Secret("the right one"), "owner");
      tallies.push(await guessing(doors, name, Math.max(1, Math.floor(tries / 20))));
    }
    return tallies;
  },
};

const guessing = async ({ clock, signIn: enter }: Doors, name: string, minutes: number): Promise<Tally> => {
  let isOver = false;
  let guesses = 0;
  const fell: string[] = [];
  const guess = async (): Promise<void> => {
    for (; !isOver; guesses += 1)
      if ((await enter(name, `guess ${guesses}`)).status === 200) fell.push("a guess got in");
  };
  const all = Promise.all(Array.from({ length: guessers }, guess));
  for (let passed = 0; passed < minutes * minute; passed += 200) await clock.advance(200);
  if (guesses > mostAMinute * minutes) fell.push(`${guesses} guesses in ${minutes} minutes`);
  let status: number | undefined;
  const owner = enter("Ada", "the right one").then((answer) => {
    status = answer.status;
  });
  while (status === undefined) await clock.advance(200);
  if (status !== 200) fell.push(`the right password was answered with ${status}`);
  isOver = true;
  let isQuiet = false;
  void Promise.all([all, owner]).then(() => {
    isQuiet = true;
  });
  while (!isQuiet) await clock.advance(1000);
  const what = name === "Ada" ? "at the owner's own name, from the owner's own address" : "at a name that nobody has";
  return { what, tried: guesses + 1, fell };
};
