import { z } from "zod";
import { AppError } from "../basics/errors.ts";
import { redactJson } from "../credentials/redact.ts";
import type { Tool } from "./tools.ts";

/** Versions of the Model Context Protocol that this speaks, the newest first. */
export const protocolVersions = ["2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"] as const;

/** An answer's text is cut after so many characters: more than that helps no model. */
export const mostCharacters = 50_000;

const request = z.looseObject({
  jsonrpc: z.literal("2.0"),
  id: z.union([z.string(), z.number()]).optional(),
  method: z.string(),
  params: z.looseObject({}).optional(),
});
type Request = z.output<typeof request>;
type Id = string | number | null;

export type Reply = { readonly jsonrpc: "2.0"; readonly id: Id } & (
  | { readonly result: object }
  | { readonly error: { readonly code: number; readonly message: string } }
);

type Needs = {
  readonly tools: readonly Tool[];
  readonly version: string;
  /** Hears of what no tool should throw. */
  readonly onBug?: (cause: unknown) => void;
  /** Runs a tool with arguments that its schema took. */
  readonly run: (tool: Tool, args: object) => Promise<unknown>;
};

/** JSON-RPC 2.0: the codes of errors. */
const [invalidRequest, unknownMethod, invalidParams] = [-32_600, -32_601, -32_602];

/** Answers the messages of one client; undefined for what wants no answer. It never rejects. */
export const createMcpServer = ({ tools, version, run, onBug }: Needs) => {
  const listed = tools.map(describe);

  const call = async (params: Request["params"]): Promise<object | string> => {
    const tool = tools.find(({ name }) => name === params?.name);
    if (!tool) return `There is no tool ${JSON.stringify(params?.name)?.slice(0, 100)}`;
    const args = tool.input.safeParse(params?.arguments ?? {});
    if (!args.success) return problem(z.prettifyError(args.error));
    try {
      return { content: [{ type: "text", text: textOf(await run(tool, args.data)) }] };
    } catch (cause) {
      if (!(cause instanceof AppError)) throw cause;
      return problem([cause.message, ...cause.details.map(({ path, message }) => `${path}: ${message}`)].join("\n"));
    }
  };

  const resultOf = async ({ method, params }: Request): Promise<object | string | undefined> => {
    if (method === "initialize")
      return {
        protocolVersion: protocolVersions.find((each) => each === params?.protocolVersion) ?? protocolVersions[0],
        capabilities: { tools: {} },
        serverInfo: { name: "mediafarm", version },
      };
    if (method === "ping") return {};
    if (method === "tools/list") return { tools: listed };
    return method === "tools/call" ? call(params) : undefined;
  };

  return async (message: unknown): Promise<Reply | undefined> => {
    const parsed = request.safeParse(message);
    if (!parsed.success) return failure(null, invalidRequest, "This is no request of JSON-RPC 2.0");
    const { id, method } = parsed.data;
    if (id === undefined) return undefined; // notifications: nothing here depends on one
    try {
      const result = await resultOf(parsed.data);
      if (result === undefined) return failure(id, unknownMethod, `There is no method ${method.slice(0, 100)}`);
      return typeof result === "string" ? failure(id, invalidParams, result) : { jsonrpc: "2.0", id, result };
    } catch (cause) {
      onBug?.(cause);
      return failure(id, -32_603, "Internal error");
    }
  };
};

const describe = ({ name, title, description, input, isActing }: Tool) => ({
  ...{ name, title, description },
  inputSchema: z.toJSONSchema(input, { io: "input" }),
  annotations: { readOnlyHint: !isActing, destructiveHint: name === "stop_job", openWorldHint: false },
});

const failure = (id: Id, code: number, message: string): Reply => ({ jsonrpc: "2.0", id, error: { code, message } });

/** What the farm refused is an answer to the model, which may do better with it. */
const problem = (text: string) => ({ isError: true, content: [{ type: "text", text: text.slice(0, mostCharacters) }] });

const textOf = (value: unknown): string => {
  const text = redactJson(JSON.stringify(value, null, 1));
  if (text.length <= mostCharacters) return text;
  return `${text.slice(0, mostCharacters)}\n… cut here: ${text.length - mostCharacters} more characters. Ask for less at a time.`;
};
