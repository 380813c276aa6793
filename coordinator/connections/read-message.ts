import { z } from "zod";
import { messageOf } from "../../shared/basics/errors.ts";
import { type AgentMessage, agentMessage, type Fence, fence } from "../../shared/protocol/messages.ts";

/** One frame of an agent. A misfit names its attempt but breaks the schema. */
export type ReadMessage =
  | { readonly kind: "message"; readonly message: AgentMessage }
  | { readonly kind: "misfit"; readonly about: About; readonly why: string }
  | { readonly kind: "breach"; readonly why: string };

export type About = { readonly type: AgentMessage["type"]; readonly fence: Fence };

/** Reads a frame of at most `limit` characters. */
export const readMessage = (text: string, limit: number): ReadMessage => {
  if (text.length > limit) return breach(`a message of ${text.length} characters, and ${limit} are the limit`);
  try {
    const value: unknown = halfCharacter.test(text) ? JSON.parse(text, wellFormed) : JSON.parse(text);
    const result = agentMessage.safeParse(value);
    if (result.success) return { kind: "message", message: result.data };
    const [issue] = result.error.issues;
    const why = `${issue?.path.join(".").slice(0, 200)}: ${issue?.message.slice(0, 200)}`;
    const about = aboutAttempt.safeParse(value).data;
    return about ? { kind: "misfit", about, why } : breach(`what is not a message: ${why}`);
  } catch (problem) {
    return breach(`what is not JSON: ${messageOf(problem)}`);
  }
};

/** The attempt that a message is about, if it is about one. */
export const fenceIn = (message: AgentMessage): Fence | undefined => {
  if (message.type === "report") return message.report.fence;
  return "fence" in message ? message.fence : undefined;
};

/** JSON's escape for half a character. The store would keep a different text from the one in memory. */
const halfCharacter = /\\u[dD][89a-fA-F]/;
const wellFormed = (_key: string, value: unknown): unknown =>
  typeof value === "string" ? value.toWellFormed() : value;

export const breach = (why: string): ReadMessage => ({ kind: "breach", why });

const aboutAttempt = z.union([
  z.object({ type: z.enum(["started", "progress", "returned", "commit", "inspected", "log", "request_keys"]), fence }),
  z
    .object({ type: z.literal("report"), report: z.object({ fence }) })
    .transform(({ type, report }) => ({ type, fence: report.fence })),
]);
