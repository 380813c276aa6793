import packageJson from "../../../package.json" with { type: "json" };
import { nothing, type ParsedCommand } from "../../command/command.ts";

/** The farm for language models, over standard input and output. */
export const mcp: ParsedCommand = {
  details:
    "A program that uses language models starts this command and speaks the Model Context Protocol with it. Its tools list jobs, nodes and outputs, explain why tasks wait, and read results and logs; with --act they also submit, stop, pause, resume and retry jobs. It asks the farm with this user's credentials, or those of MEDIAFARM_*: what their API user may not do, no tool can. Make one for it: mediafarm api-users create NAME --scopes jobs:read,nodes:read.",
  flags: { act: { type: "boolean", help: "Also offer the tools that change something." } },
  examples: [
    ["mediafarm mcp", "offers tools that only read"],
    ["mediafarm mcp --act", "offers those that change something as well"],
  ],
  check: nothing("mcp"),
  run: async ({ values, world, client }) => {
    const [{ createMcpServer }, { linesOf }, { toolsFor }] = await Promise.all([
      import("../../../shared/mcp/server.ts"),
      import("../../mcp/lines.ts"),
      import("../../../shared/mcp/tools.ts"),
    ]);
    const farm = client();
    const tools = toolsFor(values.act === true);
    const answer = createMcpServer({
      ...{ tools, version: packageJson.version },
      run: (tool, args) => tool.run(farm, args as never), // parsed by the tool's own schema
    });
    for await (const line of linesOf(world.stdinChunks())) {
      const reply = await answer(parsed(line));
      if (reply) world.stdout.write(`${JSON.stringify(reply)}\n`);
    }
    return 0;
  },
};

/** What is no JSON is no request either. */
const parsed = (line: string | undefined): unknown => {
  try {
    return line === undefined ? undefined : JSON.parse(line);
  } catch {
    return undefined;
  }
};
