import { startRichFarm } from "../pages/rich-farm/index.ts";

// Who started it is gone: so are the farm and its agent.
const all = process.platform === "win32" ? process.pid : -process.pid;
process.stdin.resume().once("end", () => process.kill(all, "SIGTERM"));

const farm = await startRichFarm({ onOpen: (open) => console.log(JSON.stringify(open)) });
console.log(JSON.stringify({ isComplete: true, jobs: farm.jobs }));
