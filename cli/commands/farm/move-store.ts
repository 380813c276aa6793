import { join, resolve } from "node:path";
import { Secret } from "../../../shared/basics/secret.ts";
import { exactly, type ParsedCommand } from "../../command/command.ts";
import { userAt } from "../../terminal/user.ts";

/** Copies a farm from one store to another. */
export const moveStore: ParsedCommand = {
  details:
    "FROM and TO are data folders, as up --data has them, or addresses of PostgreSQL databases. All coordinators of the farm have to be stopped. TO has to be empty. Every table is compared in the end, by its number of rows and a hash of all of them. Interrupted, the same command goes on. FROM stays as it is: do not start it again. Secrets move as they are, encrypted, so TO needs the key of FROM: MEDIAFARM_SECRET_KEY, or the file secret.key of the data folder in base64.",
  flags: {},
  offers: "files",
  examples: [
    [
      "mediafarm move-store ~/.mediafarm postgres://farm@db.studio.lan/farm",
      "moves the farm on this machine to a server",
    ],
    ["mediafarm move-store postgres://farm@db.studio.lan/farm ~/back", "moves it back, into an empty folder"],
  ],
  check: exactly(2, "move-store", "FROM and TO"),
  run: async ({ positionals, output, world }) => {
    const [from = "", to = ""] = positionals.map(placeOf);
    const { moveStore: move } = await import("../../../coordinator/move-store.ts");
    const { systemClock } = await import("../../../shared/basics/system-clock.ts");
    const given = (name: string) => (world.env[name] ? new Secret(world.env[name]) : undefined);
    const secrets = { secretKey: given("MEDIAFARM_SECRET_KEY"), password: given("PGPASSWORD") };
    const by = { user: userAt(world), at: world.clock.now() };
    await move({ from, to, ...secrets, by, clock: systemClock }, (sum) =>
      output.isJson ? output.json(sum) : output.text(`${sum.name}: ${sum.rows} rows, ${sum.hash.slice(0, 16)}\n`),
    );
    if (!output.isJson) output.text("The farm has moved: both stores hold the same rows.\n");
    return 0;
  },
};

const placeOf = (word: string): string =>
  /^postgres(ql)?:\/\//.test(word) ? word : join(resolve(word), "coordinator");
