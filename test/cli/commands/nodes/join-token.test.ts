import { once } from "node:events";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { WebSocket } from "ws";
import { decodeJoinToken } from "../../../../shared/credentials/join-token.ts";
import type { CoordinatorMessage, Hello } from "../../../../shared/protocol/messages.ts";
import { openTestCoordinator, type TestCoordinator } from "../../../helpers/farm/coordinator.ts";
import { aFolder, aHello, removeFolder } from "../../../helpers/farm/farm.ts";
import { documentsOf, runHere } from "../../../helpers/processes/cli.ts";

let folder: string;
let farm: TestCoordinator;
beforeEach(async () => {
  folder = aFolder();
  farm = await openTestCoordinator(join(folder, "coordinator"));
});
afterEach(async () => {
  await farm.coordinator.close();
  removeFolder(folder);
});

const run = (...words: string[]) => runHere([...words, "--data", folder], { env: {}, clock: farm.clock });
const tokenOf = async (...words: string[]) => {
  const [document] = documentsOf((await run("join-token", ...words, "--json")).stdout);
  return String(document?.join_token);
};

/** What an agent is answered that comes with these credentials. */
const knock = async (credentials: Hello["credentials"]): Promise<CoordinatorMessage> => {
  const socket = new WebSocket(decodeJoinToken(farm.coordinator.joinToken).url);
  await once(socket, "open");
  socket.send(JSON.stringify(aHello({ credentials })));
  const [data] = await once(socket, "message");
  socket.terminate();
  return JSON.parse(String(data));
};

test("once the join token was made anew the old one lets nobody in, the new one does, and who is in stays", async () => {
  const old = await tokenOf();
  expect(old).toBe(farm.coordinator.joinToken);
  const first = await knock({ joinToken: old });
  if (first.type !== "welcome") throw new Error(`heard ${first.type}`);
  const renewed = await tokenOf("renew");
  expect(await tokenOf()).toBe(renewed);
  expect(await knock({ joinToken: old })).toEqual({
    type: "refused",
    message: "The join token is not this farm's, or was replaced since: copy the one that the farm shows now",
    retry: false,
  });
  expect(await knock({ joinToken: renewed })).toMatchObject({ type: "welcome", nodeId: first.nodeId + 1 });
  const back = await knock({ nodeId: first.nodeId, nodeKey: first.nodeKey ?? "" });
  expect(back).toMatchObject({ type: "welcome", nodeId: first.nodeId });
});

test("words that join-token does not know are refused", async () => {
  expect([(await run("join-token", "burn")).status, (await run("join-token", "renew", "now")).status]).toEqual([2, 2]);
});
