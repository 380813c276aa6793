import { once } from "node:events";
import { createServer } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { expect, test } from "vitest";
import { mostPipelined, ofPipelines, PipelinedMessage, servePipelines } from "../../../coordinator/http/pipelines.ts";

const aRequest = "GET / HTTP/1.1\r\nhost: farm\r\n\r\n";

/** Sends so many requests in one piece; tells how many of them were read, and how many were handled. */
const sendAtOnce = async (amount: number, text = aRequest) => {
  const seen = { read: 0, handled: 0, cut: 0 };
  class Counted extends PipelinedMessage {
    constructor(socket: Socket) {
      super(socket);
      seen.read += 1;
    }
  }
  const server = createServer({ ...ofPipelines, IncomingMessage: Counted }, (_, response) => {
    seen.handled += 1;
    response.end();
  });
  server.on("upgrade", (_, socket) => socket.destroy());
  servePipelines(server, () => {
    seen.cut += 1;
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  const { port } = server.address() as AddressInfo; // it listens on a port
  const socket = connect(port, "127.0.0.1");
  socket.on("error", () => undefined); // it may be reset
  let answers = 0;
  socket.on("data", (piece) => {
    answers += piece.toString("latin1").split("HTTP/1.1 200").length - 1;
    if (answers === amount) socket.end();
  });
  socket.write(text.repeat(amount));
  await new Promise((resolve) => socket.once("close", resolve));
  server.close();
  return { ...seen, answers };
};

test("as many requests as may wait are all handled", async () => {
  const amount = mostPipelined + 1;
  expect(await sendAtOnce(amount)).toEqual({ read: amount, handled: amount, answers: amount, cut: 0 });
});

test.each([
  ["", aRequest],
  [" that expect what nobody knows", "GET / HTTP/1.1\r\nhost: farm\r\nexpect: all\r\n\r\n"],
  [" that name no host", "GET / HTTP/1.1\r\n\r\n"],
])("what follows too many requests%s on a connection is not even read", async (_, text) => {
  const { read, handled, cut } = await sendAtOnce(2000, text);
  expect(cut).toBe(1);
  expect(read).toBeLessThanOrEqual(mostPipelined + 3);
  expect(handled).toBe(1);
});
