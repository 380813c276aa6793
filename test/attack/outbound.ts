import { createNodeGuard } from "../../agent/outbound/guard.ts";
import { createSend } from "../../agent/outbound/request.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";
import { startReceiver } from "../helpers/processes/receiver.ts";
import type { Attack, Random } from "./attack.ts";

/** Ways to write this machine's own address. */
const selves = [
  ...["127.0.0.1", "localhost", "LOCALHOST", "localhost.", "127.1", "127.0.1", "2130706433", "0x7f000001", "0x7f.1"],
  ...["0177.0.0.1", "017700000001", "0", "0.0.0.0", "[::]", "[::1]", "[0:0:0:0:0:0:0:1]", "[::ffff:127.0.0.1]"],
  ...["[::ffff:7f00:1]", "[::127.0.0.1]", "[64:ff9b::7f00:1]", "[2002:7f00:1::]", "127.0.0.1.", "①②⑦.⓪.⓪.①"],
  ...[
    "127。0。0。1",
    "1２7.0.0.1",
    "%31%32%37.0.0.1",
    "127.127.127.127",
    "[fe80::1%25lo]",
    "[::1%25lo]",
    "0x7f.0.0.0x1",
  ],
];

const spelled = (random: Random, port: number): string => {
  const self = random.one(selves);
  const user = random.one(["", "", "user@", "good.example@", "a:b@", "good.example%2f@", "@"]);
  const scheme = random.one(["http", "http", "HTTP", "https", "ftp", "gopher", "file", "http:\\\\", " http"]);
  const place = random.one([
    `:${port}`,
    `:0${port}`,
    `:${port}#good.example`,
    `:${port}?good.example`,
    `:${port}/\\good.example`,
  ]);
  return `${scheme}://${user}${self}${place}/${random.one(["", "latest/meta-data", "..;/", "%2e%2e"])}`;
};

/** Requests that a job causes, to this machine, in every spelling: none may arrive. */
export const outbound: Attack = {
  name: "requests to the inside (SSRF)",
  run: async ({ random, tries }) => {
    await using stack = new AsyncDisposableStack();
    const inside = await startReceiver();
    stack.defer(inside.close);
    const { guard } = createNodeGuard(undefined);
    const send = createSend(guard, systemClock);
    const fell: string[] = [];
    const tried = tries * 10;
    for (let nr = 0; nr < tried; nr++) {
      const url = spelled(random, inside.port);
      const before = inside.received.length;
      const signal = AbortSignal.timeout(5000);
      await send({ method: random.one(["GET", "POST"]), url, headers: {}, body: "", signal }).catch(() => undefined);
      if (inside.received.length > before) fell.push(url);
    }
    return [{ what: "addresses of this machine", tried, fell }];
  },
};
