import { AppError } from "../../shared/basics/errors.ts";
import { headlessRules, type LendingRules, lendModes, returnWays } from "../../shared/lending/lending.ts";
import { parseWeek } from "../../shared/lending/week-plan.ts";
import { canSuspendOn } from "../process/suspension.ts";

/** A headless node's lending flags, as they are on its command line. */
export const lendingOptions = {
  lend: { type: "string" },
  "on-return": { type: "string" },
  "idle-after": { type: "string" },
  hold: { type: "string" },
  "min-disk": { type: "string" },
  "not-on-battery": { type: "boolean" },
  "not-while": { type: "string" },
} as const;

type Values = { readonly [N in keyof typeof lendingOptions]?: string | boolean };

/** Rules from flags; undefined if none was given. Invalid or unsupported ones are refused with a message. */
export const lendingFrom = (values: Values, platform = process.platform): LendingRules | undefined => {
  const given = Object.keys(lendingOptions).some((name) => values[name as keyof Values] !== undefined);
  if (!given) return undefined;
  const onReturn = oneOf("--on-return", returnWays, values["on-return"]) ?? usualWay(platform);
  if (onReturn === "suspend" && !canSuspendOn(platform)) throw new AppError("VALIDATION_FAILED", noSuspending);
  return {
    ...headlessRules,
    ...modeOf(values.lend),
    onReturn,
    idleAfterMin: minutesOf("--idle-after", values["idle-after"], 480) ?? headlessRules.idleAfterMin,
    holdMin: minutesOf("--hold", values.hold, 1440) ?? headlessRules.holdMin,
    minDisk: bytesOf(values["min-disk"]) ?? headlessRules.minDisk,
    onBattery: values["not-on-battery"] !== true,
    notWhile: programsOf(values["not-while"]),
  };
};

/** The mildest choice where programs cannot be suspended: they finish. */
export const usualWay = (platform: NodeJS.Platform) => (canSuspendOn(platform) ? "suspend" : "finish");

const noSuspending =
  "--on-return suspend: Windows has no dependable way to suspend programs. Use --on-return finish or --on-return requeue";

const modeOf = (value: Values["lend"]): Partial<LendingRules> => {
  if (typeof value !== "string") return {};
  if (value.startsWith("hours=")) return { lend: "hours", week: parseWeek(value.slice("hours=".length)) };
  const lend = lendModes.find((mode) => mode === value && mode !== "hours");
  if (lend) return { lend };
  throw new AppError("VALIDATION_FAILED", `--lend takes always, idle, hours=… or never, not "${value}"`);
};

const oneOf = <T extends string>(flag: string, words: readonly T[], value: Values[keyof Values]): T | undefined => {
  if (value === undefined) return undefined;
  const found = words.find((word) => word === value);
  if (found) return found;
  throw new AppError("VALIDATION_FAILED", `${flag} takes ${words.join(", ")}, not "${value}"`);
};

const minutesOf = (flag: string, value: Values[keyof Values], most: number): number | undefined => {
  if (value === undefined) return undefined;
  const minutes = Number(value);
  if (Number.isInteger(minutes) && minutes >= 1 && minutes <= most) return minutes;
  throw new AppError("VALIDATION_FAILED", `${flag} takes 1 to ${most} minutes, not "${value}"`);
};

const programsOf = (value: Values["not-while"]): string[] =>
  typeof value === "string"
    ? value
        .split(",")
        .map((name) => name.trim())
        .filter(Boolean)
    : [];

const units: Readonly<Record<string, number>> = { "": 1, K: 1e3, M: 1e6, G: 1e9, T: 1e12 };

const bytesOf = (value: Values[keyof Values]): number | undefined => {
  if (value === undefined) return undefined;
  const [, number, unit = ""] = /^(\d+(?:\.\d+)?)\s*([KMGT])?B?$/i.exec(String(value)) ?? [];
  if (number !== undefined) return Math.round(Number(number) * (units[unit.toUpperCase()] ?? 1));
  throw new AppError("VALIDATION_FAILED", `--min-disk takes a size such as 20GB, not "${value}"`);
};
