import { type FarmEvent, farmEvent } from "../../shared/api/events.ts";

/** Reads the farm's events from a stream of server-sent events. Skips types that this version does not know. */
export async function* readEvents(stream: ReadableStream<Uint8Array>): AsyncGenerator<FarmEvent> {
  let rest = "";
  const decoder = new TextDecoder();
  for await (const chunk of stream) {
    rest += decoder.decode(chunk, { stream: true });
    const blocks = rest.split("\n\n");
    rest = blocks.pop() ?? "";
    for (const block of blocks) {
      const data = block.split("\n").filter((line) => line.startsWith("data: "));
      if (data.length === 0) continue;
      const event = farmEvent.safeParse(JSON.parse(data.map((line) => line.slice("data: ".length)).join("\n")));
      if (event.success) yield event.data;
    }
  }
}
