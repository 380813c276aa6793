import type { IncomingMessage } from "node:http";
import { takeBytes } from "./read-memory.ts";

/** Shorter bodies are read as usual: their connection can be used again. */
const worthTaking = 1024 * 1024;

/** The body of a response. Each piece is valid until the next one is asked for. */
export async function* piecesOf(message: IncomingMessage): AsyncGenerator<Uint8Array> {
  const { headers, socket } = message;
  const size = Number(headers["content-length"] ?? 0);
  const taken = size < worthTaking || headers["transfer-encoding"] ? undefined : takeBytes(socket);
  if (!taken) return yield* message as AsyncIterable<Buffer>;
  message.on("error", taken.end).once("close", () => taken.end());
  let left = size;
  try {
    // What came with the headers was parsed already.
    for (let early: Buffer | null = message.read(); early; early = message.read()) {
      left -= early.length;
      yield early;
    }
    while (left > 0) {
      const piece = await taken.next();
      if (!piece) throw new Error("the connection was closed");
      yield piece.length > left ? piece.subarray(0, left) : piece;
      left -= piece.length;
    }
  } finally {
    message.destroy();
  }
}
