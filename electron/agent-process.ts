import { startAgent } from "../agent/agent.ts";
import { readConfig, readLogLevel } from "../agent/config.ts";
import { createLog } from "../agent/log.ts";
import { systemClock } from "../shared/basics/system-clock.ts";
import { runService } from "./services/parent-channel.ts";
import { agentOrder, agentStart } from "./services/service-messages.ts";

/** This computer's agent as a process of the desktop app. */
runService(async (message, say) => {
  const { type: _, ...choices } = agentStart.parse(message);
  const agent = await startAgent({
    config: readConfig(choices),
    clock: systemClock,
    log: createLog({ level: readLogLevel(), clock: systemClock, write: (line) => process.stderr.write(line) }).child({
      part: "agent",
    }),
    pid: process.pid,
    random: Math.random,
    onConnected: ({ nodeId }) => say({ type: "connected", nodeId }),
    lending: {
      onReport: (report) => say({ type: "lending", report }),
      onPressSpent: () => say({ type: "pressSpent" }),
    },
  });
  const hear = (message: unknown): void => {
    const order = agentOrder.parse(message);
    if (order.type === "sense") agent.lending.tell(order.sense);
    else agent.lending.set({ rules: order.lending, press: order.press });
  };
  return { close: () => agent.stop(), ended: agent.ended, hear };
});
