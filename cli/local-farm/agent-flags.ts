import { statSync } from "node:fs";
import { isAbsolute, resolve } from "node:path";
import { AppError } from "../../shared/basics/errors.ts";
import { splitMount } from "../../shared/files/mounts.ts";
import { type Flags, UsageError, type Values } from "../terminal/flags.ts";

/** Flags of an agent; `up` hands them on to its own. */
export const agentFlags = {
  name: { type: "string", value: "NAME", help: "The name of this machine in the farm.", default: "its host name" },
  tags: {
    type: "string",
    value: "a,b",
    help: "Tags of this machine. A task runs only on nodes that have all of its tags.",
  },
  slots: {
    type: "string",
    value: "N",
    help: "How many tasks may run here in parallel.",
    default: "one for every two cores",
  },
  root: {
    type: "string",
    value: "DIR",
    multiple: true,
    offers: "folders",
    help: "A folder that jobs may read and write. Without it they can use no files.",
  },
  mount: {
    type: "string",
    value: "PREFIX=DIR",
    multiple: true,
    offers: "folders",
    help: "Maps addresses with this prefix, such as s3://bucket, to a folder of this machine. It takes precedence over the farm's mount of the same prefix.",
  },
  "allow-outbound": {
    type: "string",
    value: "RULE",
    multiple: true,
    help: "Network destinations that jobs may use from here: public, a host name, *.a-domain, an address or a network, each with an optional :port.",
    default: "MEDIAFARM_ALLOW_OUTBOUND, or public: all addresses outside private networks",
  },
  "smtp-url": {
    type: "string",
    value: "URL",
    help: "The mail server for notifications: smtp://host:587 or smtps://host. Put an address with a user name and a password into MEDIAFARM_SMTP_URL.",
    default: "MEDIAFARM_SMTP_URL, or none: this machine sends no mail",
  },
  containers: {
    type: "boolean",
    help: "Let jobs run containers here with podman or docker. They have no network and see only their inputs and outputs.",
  },
  "mail-from": {
    type: "string",
    value: "ADDRESS",
    help: "The sender of these mails.",
    default: "MEDIAFARM_MAIL_FROM, or mediafarm@ and the mail server's name",
  },
  lend: {
    type: "string",
    value: "WHEN",
    help: "When this machine works for the farm: always, idle (nobody uses it), never, or at hours such as hours=mon-fri 19-7, sat, sun.",
    default: "always",
  },
  "on-return": {
    type: "string",
    value: "WAY",
    help: "What running tasks do when lending stops: suspend, finish or requeue (start again on another node).",
    default: "suspend; on Windows finish, because it cannot suspend programs",
  },
  "idle-after": {
    type: "string",
    value: "MIN",
    help: "With --lend idle: minutes without mouse or keyboard.",
    default: "5",
  },
  hold: {
    type: "string",
    value: "MIN",
    help: "Minutes that suspended tasks wait before they start on another node.",
    default: "10",
  },
  "min-disk": {
    type: "string",
    value: "SIZE",
    help: "Stop lending while a disk that tasks write to has less free space.",
    default: "1 GiB, at most a twentieth of the disk",
  },
  "not-while": {
    type: "string",
    value: "A,B",
    help: "Stop lending while one of these programs runs, such as Resolve,Nuke.",
  },
  "not-on-battery": { type: "boolean", help: "Stop lending while this machine runs on battery." },
} as const satisfies Flags;

/** The same flags as words for the agent's command line. Folders are made absolute; missing ones are refused. */
export const agentArguments = (values: Values): string[] =>
  Object.entries(agentFlags).flatMap(([flag, { type }]) => {
    if (type === "boolean") return values[flag] ? [`--${flag}`] : [];
    const given = [values[flag]].flat().filter((each) => typeof each === "string");
    return given.flatMap((text) => [`--${flag}`, valueFor(flag, text)]);
  });

const valueFor = (flag: string, text: string): string => {
  if (flag === "root") return requireFolder("--root", text);
  return flag === "mount" ? absoluteMount(text) : text;
};

const absoluteMount = (text: string): string => {
  const mount = splitMount(text);
  if (!mount) throw new UsageError(`--mount takes PREFIX=DIR, not "${text}"`);
  return `${mount.prefix}=${requireFolder("--mount", mount.folder)}`;
};

const requireFolder = (flag: string, folder: string): string => {
  const absolute = resolve(folder);
  if (statSync(absolute, { throwIfNoEntry: false })?.isDirectory()) return absolute;
  throw new AppError("VALIDATION_FAILED", `${flag} ${absolute}: there is no such folder`);
};

/** Refuses programs that the environment names and that are not there: one that stands by would learn of it when it leads. */
export const requireGivenPrograms = (env: NodeJS.ProcessEnv): void => {
  for (const variable of ["FFMPEG_PATH", "FFPROBE_PATH"]) {
    const path = env[variable];
    if (path && isAbsolute(path) && !statSync(path, { throwIfNoEntry: false })?.isFile())
      throw new AppError("VALIDATION_FAILED", `${variable} names ${path}: there is no such program`);
  }
};
