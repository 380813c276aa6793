import { connect } from "node:net";
import type { TestCoordinator } from "../farm/coordinator.ts";

/** The lines of a request's head. */
export const lines = (...all: readonly string[]): string => `${all.join("\r\n")}\r\n\r\n`;

/**
 * Sends requests byte for byte as clients of this API family do. `<pair>` stands for the OAPI pair as HTTP Basic has it,
 * `<token>`, `<key>` and `<secret>` for what was handed out, `<length>` for the body's bytes once these are filled in.
 */
export const rawSender =
  (world: () => TestCoordinator) =>
  async (head: string, body = "") => {
    const { origin, token, secrets } = world();
    const { oapiKey, oapiSecret, authKey, authSecret } = secrets;
    const fill = (text: string) => text.replaceAll("<key>", authKey).replaceAll("<secret>", authSecret);
    const filled = head
      .replaceAll("<pair>", btoa(`${oapiKey}:${oapiSecret}`))
      .replaceAll("<token>", token)
      .replaceAll("<length>", String(Buffer.byteLength(fill(body))));
    const text = await exchange(Number(new URL(origin).port), fill(filled + body));
    // Of several answers the last; all of them are `whole`.
    const [top = "", rest = ""] = text.slice(text.lastIndexOf("HTTP/1.1 ")).split("\r\n\r\n");
    const [status] = top.split("\r\n");
    return { status, type: /content-type: (.*)/.exec(top)?.[1], body: JSON.parse(rest), text: rest, whole: text };
  };

/** All that comes until the other side closes: the last request asks for that. */
const exchange = (port: number, text: string): Promise<string> =>
  new Promise((resolve, reject) => {
    let answer = "";
    const socket = connect(port, "127.0.0.1", () => socket.write(text));
    socket.setEncoding("utf8").on("data", (data) => {
      answer += data;
    });
    socket.on("end", () => resolve(answer)).on("error", reject);
  });
