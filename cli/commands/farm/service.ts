import { homedir, userInfo } from "node:os";
import { join, resolve } from "node:path";
import type { Call, ParsedCommand } from "../../command/command.ts";
import { type Service, type ServiceFile, serviceName } from "../../service/service.ts";
import { parseChoice, textFlag, UsageError } from "../../terminal/flags.ts";

const verbs = ["install", "remove", "status"] as const;
const platforms = ["linux", "darwin", "win32"] as const;

/** A farm or an agent that the system starts, restarts and stops. */
export const service: ParsedCommand = {
  details:
    "install makes a service that runs mediafarm up, or with --agent mediafarm agent, with the words behind --, and starts it. On Linux it is a unit of systemd, on macOS a property list of launchd, on Windows a task of the Task Scheduler. It is this user's, and begins when they sign in (on Linux with loginctl enable-linger when the machine starts); with --system it is the machine's. remove ends it; its data stays. The Debian package brings services of its own.",
  flags: {
    agent: { type: "boolean", help: "The service is an agent, which joins a farm elsewhere." },
    system: { type: "boolean", help: "The service is the machine's, and not this user's. It takes an administrator." },
    user: { type: "string", value: "NAME", help: "With --system: whom it runs as.", default: "this user" },
    name: { type: "string", value: "NAME", help: "The service's name.", default: "mediafarm, or mediafarm-agent" },
    data: {
      type: "string",
      value: "DIR",
      offers: "folders",
      help: "The data folder of the service.",
      default: "~/.mediafarm, or ~/.mediafarm-agent",
    },
    print: { type: "boolean", help: "Print the file, and install nothing." },
    platform: {
      type: "string",
      value: "NAME",
      offers: platforms,
      help: "With --print: the system that the file is for.",
      default: "this one",
    },
  },
  offers: verbs,
  examples: [
    ["mediafarm service install -- --root ~/media --backups /mnt/backups", "runs a farm of this user from now on"],
    ["mediafarm service install --agent -- --join TOKEN --root ~/media", "lends this machine from now on"],
    ["mediafarm service status", "says whether the service is installed and runs"],
  ],
  exits: ["1 also means: status found that the service does not run"],
  check: ([verb, ...words]) => {
    if (!verbs.some((each) => each === verb)) return `service takes one of ${verbs.join(", ")}`;
    return verb !== "install" && words.length > 0 ? `service ${verb} takes no "${words[0]}"` : undefined;
  },
  run: async (call) => {
    const [verb, ...words] = call.positionals;
    const file = await fileOf(call, words);
    if (call.values.print) {
      call.output.answer({ path: file.path, text: file.text }, file.text);
      return 0;
    }
    return act(call, parseChoice("service", verb ?? "", verbs), file);
  },
};

const act = async ({ output, world }: Call, verb: (typeof verbs)[number], file: ServiceFile): Promise<number> => {
  const [{ installService, removeService, stateOf }, { createRun }] = await Promise.all([
    import("../../service/control.ts"),
    import("../../../agent/process/run.ts"),
  ]);
  const run = createRun({ clock: world.clock, env: managersEnv(world.env) });
  if (verb === "status") {
    const state = await stateOf(file, run);
    const words = state.isInstalled
      ? `${file.path} is installed and ${state.isRunning ? "runs" : "does not run"}`
      : "It is not installed";
    output.answer({ path: file.path, installed: state.isInstalled, running: state.isRunning }, `${words}\n`);
    return state.isRunning ? 0 : 1;
  }
  if (verb === "install") await installService(file, run);
  else await removeService(file, run);
  const done = verb === "install" ? "Installed and started" : "Stopped and removed";
  output.answer({ path: file.path, [verb === "install" ? "installed" : "removed"]: true }, `${done}: ${file.path}\n`);
  return 0;
};

/** What the system's managers of services need to find the user's. */
const managersEnv = (env: Call["world"]["env"]): Record<string, string> =>
  Object.fromEntries(
    ["PATH", "Path", "HOME", "SystemRoot", "XDG_RUNTIME_DIR", "DBUS_SESSION_BUS_ADDRESS"].flatMap((name) => {
      const value = env[name];
      return value === undefined ? [] : [[name, value] as const];
    }),
  );

const fileOf = async (call: Call, words: readonly string[]): Promise<ServiceFile> => {
  const wanted = textFlag(call.values, "platform") ?? process.platform;
  const platform = parseChoice("platform", wanted, platforms);
  if (platform !== process.platform && !call.values.print) throw new UsageError("--platform is for --print");
  const made = serviceOf(call, words);
  if (platform === "linux") {
    const { systemdFile } = await import("../../service/systemd.ts");
    return systemdFile(made, { configHome: call.world.env.XDG_CONFIG_HOME || join(homedir(), ".config") });
  }
  if (platform === "darwin") {
    const { launchdFile } = await import("../../service/launchd.ts");
    return launchdFile(made, { home: homedir(), uid: userInfo().uid });
  }
  return (await import("../../service/windows.ts")).windowsFile(made);
};

/** The program itself, run as a file: a service has no shell. */
const main = (): string => resolve(process.argv[1] ?? "");

const serviceOf = ({ values }: Call, words: readonly string[]): Service => {
  const isAgent = values.agent === true;
  const name = textFlag(values, "name") ?? (isAgent ? "mediafarm-agent" : "mediafarm");
  if (!serviceName.test(name)) throw new UsageError(`--name takes letters, digits, - and _, not "${name}"`);
  const dataDir = resolve(textFlag(values, "data") ?? join(homedir(), isAgent ? ".mediafarm-agent" : ".mediafarm"));
  return {
    name,
    title: isAgent ? "Mediafarm agent: lends this machine" : "Mediafarm: a farm that processes media",
    argv: [process.execPath, main(), isAgent ? "agent" : "up", "--data", dataDir, ...words],
    folder: homedir(),
    scope: values.system ? "system" : "user",
    user: textFlag(values, "user") ?? userInfo().username,
    dataDir,
    writes: foldersIn(words),
  };
};

/** The folders behind --root and --backups, and those of mounts: a hardened service may write nowhere else. */
const foldersIn = (words: readonly string[]): string[] =>
  words.flatMap((word, at) => {
    const [, flag, joined] = /^(--(?:root|backups|mount))(?:=(.*))?$/.exec(word) ?? [];
    const value = flag === undefined ? undefined : (joined ?? words[at + 1]);
    if (value === undefined) return [];
    return [resolve(flag === "--mount" ? value.slice(value.lastIndexOf("=") + 1) : value)];
  });
