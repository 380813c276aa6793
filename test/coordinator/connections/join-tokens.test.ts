import { once } from "node:events";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { uiBase } from "../../../shared/api/ui/ui-api.ts";
import { decodeJoinToken } from "../../../shared/credentials/join-token.ts";
import type { JoinTokenInfo } from "../../../shared/credentials/join-tokens.ts";
import type { CoordinatorMessage, Hello } from "../../../shared/protocol/messages.ts";
import { turns } from "../../helpers/clock.ts";
import { openTestCoordinator, type TestCoordinator } from "../../helpers/farm/coordinator.ts";
import { aFolder, aHello, aProfile, aSmallJob, removeFolder } from "../../helpers/farm/farm.ts";

let folder: string;
let world: TestCoordinator;
let sockets: WebSocket[];

beforeEach(async () => {
  folder = aFolder();
  world = await openTestCoordinator(folder);
  sockets = [];
});

afterEach(async () => {
  for (const socket of sockets) socket.terminate();
  await world.coordinator.close();
  removeFolder(folder);
});

/** Asks as the owner. */
const ownersCookie = async (): Promise<string> => {
  const code = /code=(.*)$/.exec(world.coordinator.firstSignInUrl ?? "")?.[1];
  const { headers } = await world.ask("POST", `${uiBase}/first-session`, {
    body: { code, name: "Olga", password: "long enough" },
    headers: { origin: world.origin },
  });
  return String(headers.get("set-cookie")).split(";")[0] ?? "";
};

const openOffice = async () => {
  const cookie = await ownersCookie();
  const ask = async (method: string, path: string, body?: object) => {
    const answer = await world.ask(method, uiBase + path, { body, headers: { cookie, origin: world.origin } });
    if (answer.status !== 200) throw new Error(`${method} ${path}: ${JSON.stringify(answer.body)}`);
    return answer.body;
  };
  return {
    make: async (wanted: object) => (await ask("POST", "/join-tokens", { name: "studio 2", ...wanted })) as Made,
    end: (id: string) => ask("DELETE", `/join-tokens/${id}`),
    list: async () => (await ask("GET", "/join-tokens")).items as JoinTokenInfo[],
    letWork: (node: number) => ask("PUT", `/nodes/${node}`, { state: "active" }),
  };
};
type Made = { readonly id: string; readonly join_token: string };

/** What a node hears, from its first answer on. */
const knock = async (credentials: Hello["credentials"], changes: Partial<Hello> = {}) => {
  const socket = new WebSocket(decodeJoinToken(world.coordinator.joinToken).url);
  sockets.push(socket);
  const heard: CoordinatorMessage[] = [];
  socket.on("message", (data) => heard.push(JSON.parse(String(data))));
  await once(socket, "open");
  socket.send(JSON.stringify(aHello({ credentials, ...changes })));
  await once(socket, "message");
  return { heard, first: heard[0] };
};
const refused = (message: RegExp) => ({ type: "refused", message: expect.stringMatching(message), retry: false });

test("a token lets in as many nodes as it has uses, also where they come at once, and then says so", async () => {
  const office = await openOffice();
  const { join_token } = await office.make({ uses: 3 });
  const answers = await Promise.all(Array.from({ length: 8 }, () => knock({ joinToken: join_token })));
  const kinds = answers.map(({ first }) => first?.type);
  expect(kinds.filter((kind) => kind === "welcome").length).toBe(3);
  expect((await knock({ joinToken: join_token })).first).toMatchObject(refused(/"studio 2" is used up/));
  expect((await knock({ joinToken: world.coordinator.joinToken })).first?.type).toBe("welcome");
});

test("a token ends with its time, or when somebody ends it, and a guessed secret does not open it", async () => {
  const office = await openOffice();
  const [short, ended] = [await office.make({ hours: 1, uses: null }), await office.make({ uses: null })];
  const parts = decodeJoinToken(short.join_token);
  expect(parts.secret.startsWith(`${short.id}.`)).toBe(true);
  expect((await knock({ joinToken: short.join_token })).first?.type).toBe("welcome");
  await world.clock.advance(3_600_000);
  expect((await knock({ joinToken: short.join_token })).first).toMatchObject(refused(/is expired/));
  await office.end(ended.id);
  expect((await knock({ joinToken: ended.join_token })).first).toMatchObject(refused(/is ended/));
  const used = (await office.list()).map((each) => [each.used, each.end]);
  expect(used).toEqual(
    expect.arrayContaining([
      [1, "expired"],
      [0, "ended"],
    ]),
  );
});

test("a node that waits for approval gets no work and is asked for nothing, until an operator makes it active", async () => {
  const office = await openOffice();
  const { id, join_token } = await office.make({});
  const { heard } = await knock({ joinToken: join_token }, { ...aProfile(), name: "new one" });
  const [welcome] = heard;
  if (welcome?.type !== "welcome") throw new Error(`heard ${welcome?.type}`);
  const { body: job } = await world.api("POST", "/jobs", { body: aSmallJob() });
  await world.clock.advance(2000);
  await turns(20);
  expect(heard.map(({ type }) => type)).toEqual(["welcome"]);
  expect(world.coordinator.farm.registry.isConnected(welcome.nodeId)).toBe(false);
  const tokens = await office.list();
  expect(tokens.find((each) => each.id === id)?.nodes).toMatchObject([{ name: "new one", state: "pending" }]);
  const { body: tasks } = await world.api("GET", `/jobs/${job.id}/tasks`);
  const { body: why } = await world.api("GET", `/tasks/${tasks.items[0].id}/explain`);
  expect(JSON.stringify(why)).toContain("node_pending");
  await office.letWork(welcome.nodeId);
  await expect.poll(() => heard.map(({ type }) => type)).toContain("assign");
});

test("approval outlives a restart of the coordinator and a new line of the node", async () => {
  const office = await openOffice();
  const { join_token } = await office.make({});
  const { first } = await knock({ joinToken: join_token });
  if (first?.type !== "welcome") throw new Error(`heard ${first?.type}`);
  const again = await knock({ nodeId: first.nodeId, nodeKey: first.nodeKey ?? "" });
  expect(again.first?.type).toBe("welcome");
  const { body } = await world.api("GET", "/nodes");
  expect(body.items).toMatchObject([{ state: "pending" }]);
  const { nodes } = await world.coordinator.farm.store.recall(1);
  expect(nodes).toMatchObject([{ state: "pending", joinedBy: expect.any(String) }]);
});

test("nobody but an owner makes a token, operators see what came in, and viewers do not", async () => {
  await openOffice();
  const { status } = await world.api("GET", "/join-tokens");
  expect(status).toBe(404); // programs have no way to it
});
