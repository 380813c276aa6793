import { existsSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../agent/config.ts";
import { createRun } from "../../../agent/process/run.ts";
import { findTools } from "../../../agent/tools/find-tools.ts";
import { messageOf } from "../../../shared/basics/errors.ts";
import type { Tools } from "../../../shared/protocol/messages.ts";
import type { Area } from "../area.ts";
import { bad, type Finding, ok, warn } from "../finding.ts";

/** What the ready-made jobs encode with. */
const usualEncoders = ["libx264", "libx265", "aac", "libopus", "libmp3lame", "prores_ks", "dnxhd"];
const hardware = /_(?:nvenc|qsv|vaapi|amf|videotoolbox|v4l2m2m|vulkan|mf)$/;

/** ffmpeg and ffprobe of this machine, and what they can encode; hardware encoders are tried. */
export const tools: Area = {
  name: "tools",
  limitMs: 120_000,
  look: async ({ dataDir, env, clock, scratch }) => {
    // In a folder of our own: what is found is written beside the agent's data otherwise.
    const config = readConfig({ dataDir: scratch }, env);
    try {
      return toolFindings(await findTools(config, createRun({ clock, env: config.childEnv })));
    } catch (problem) {
      const next = "See “Installing” in docs/install.md.";
      const hasAgent = existsSync(join(dataDir, "agent", "identity.json"));
      return [hasAgent ? bad("ffmpeg", messageOf(problem), next) : warn("ffmpeg", messageOf(problem), next)];
    }
  },
};

export const toolFindings = ({ ffmpeg, ffprobe, packager, capabilities }: Tools): Finding[] => {
  const encoders = capabilities.filter((each) => each.startsWith("encoder:")).map((each) => each.slice(8));
  return [
    ok("ffmpeg", `ffmpeg ${ffmpeg?.version} at ${ffmpeg?.path}`),
    ok("ffprobe", `ffprobe ${ffprobe?.version} at ${ffprobe?.path}`),
    ok(
      "packager",
      packager ? `Shaka Packager ${packager.version}` : "No Shaka Packager: jobs with DRM go to other nodes",
    ),
    encoderFinding(encoders),
    hardwareFinding(encoders.filter((name) => hardware.test(name))),
  ];
};

const encoderFinding = (encoders: readonly string[]): Finding => {
  const missing = usualEncoders.filter((name) => !encoders.includes(name));
  return missing.length === 0
    ? ok("encoders", `${encoders.length} encoders, among them all usual ones`)
    : warn(
        "encoders",
        `This ffmpeg lacks ${missing.join(", ")}: jobs that need them wait for another node`,
        "Install an ffmpeg that has them, and start the agent again.",
      );
};

const hardwareFinding = (working: readonly string[]): Finding =>
  working.length === 0
    ? ok("hardware encoders", "No hardware encoder works here")
    : ok("hardware encoders", `These work: ${working.join(", ")}`);
