import { mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { z } from "zod";
import { canSuspendOn } from "../../agent/process/suspension.ts";
import { appNotices } from "../../shared/desktop/ipc.ts";
import { gentleRules, lendingAction, lendingRules } from "../../shared/lending/lending.ts";

const bounds = z.strictObject({
  x: z.number().int().optional(),
  y: z.number().int().optional(),
  width: z.number().int().min(400).max(20_000),
  height: z.number().int().min(300).max(20_000),
});

/** What the app remembers between starts. */
export const settings = z.strictObject({
  farm: z
    .discriminatedUnion("mode", [
      /** Nobody has chosen yet. */
      z.strictObject({ mode: z.literal("none") }),
      z.strictObject({ mode: z.literal("farm"), port: z.number().int().min(0).max(65_535).default(8700) }),
      z.strictObject({ mode: z.literal("node"), joinToken: z.string().min(1).max(4000) }),
    ])
    .default({ mode: "none" }),
  /** Folders that jobs may read and write; undefined before the first start chooses one. */
  roots: z.array(z.string().min(1)).max(200).optional(),
  slots: z.number().int().min(1).max(1024).optional(),
  /** When this computer lends itself. The default is gentle. */
  lending: lendingRules.default({ ...gentleRules, onReturn: canSuspendOn(process.platform) ? "suspend" : "finish" }),
  /** The owner's last button press, while it is in effect. */
  press: lendingAction.nullable().default(null),
  startAtLogin: z.boolean().default(false),
  /** What the system shows outside of the window. */
  notices: z.array(z.enum(appNotices)).default([...appNotices]),
  /** Where the studio hosts updates; null: no automatic updates. */
  updateFeed: z
    .url({ protocol: /^https?$/ })
    .nullable()
    .default(null),
  /** Whether the app is running: if this is true at the start, the previous run did not end cleanly. */
  isRunning: z.boolean().default(false),
  /** What closing the window does. */
  onClose: z.enum(["ask", "background", "quit"]).default("ask"),
  bounds: bounds.optional(),
});
export type Settings = z.output<typeof settings>;

export type SettingsStore = {
  readonly get: () => Settings;
  readonly change: (change: Partial<Settings>) => void;
  /** What was wrong with the file, in words. */
  readonly problem: string | undefined;
};

/** `settings.json` in the app's own folder, readable only by its user: a join token is a secret. */
export const openSettings = (folder: string): SettingsStore => {
  const file = join(folder, "settings.json");
  const { value, problem } = readSettings(file);
  let current = value;
  return {
    get: () => current,
    change: (change) => {
      current = settings.parse({ ...current, ...change });
      mkdirSync(folder, { recursive: true });
      const draft = `${file}.${process.pid}`;
      writeFileSync(draft, `${JSON.stringify(current, null, 2)}\n`, { mode: 0o600 });
      renameSync(draft, file);
    },
    problem,
  };
};

const readSettings = (file: string): { value: Settings; problem?: string } => {
  let text: string;
  try {
    text = readFileSync(file, "utf8");
  } catch {
    return { value: settings.parse({}) }; // the first start
  }
  const parsed = settings.safeParse(withoutOld(parseJson(text)));
  if (parsed.success) return { value: parsed.data };
  renameSync(file, `${file}.damaged`);
  const problem = `The settings could not be read and were set back. The old file is ${file}.damaged`;
  return { value: settings.parse({}), problem };
};

/** Earlier versions stored one word for whether a joined computer lends. */
const withoutOld = (found: unknown): unknown => {
  if (typeof found !== "object" || found === null || !("isLending" in found)) return found;
  const { isLending, ...rest } = found;
  return isLending === false ? { ...rest, press: { do: "stop", until: null } } : rest;
};

const parseJson = (text: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    return undefined; // refused by the schema
  }
};
