import type { Hue } from "../../shared/model/state-labels.ts";

export type Paint = (hue: Hue | "strong" | "faint", text: string) => string;

const codes = {
  idle: "90",
  run: "34",
  ok: "32",
  bad: "31",
  warn: "33",
  dep: "35",
  strong: "1",
  faint: "2",
} as const satisfies Record<Parameters<Paint>[0], string>;

export const noPaint: Paint = (_hue, text) => text;

const colours: Paint = (hue, text) => `\x1b[${codes[hue]}m${text}\x1b[0m`;

/** Colours only at a terminal, and not if NO_COLOR is set. */
export const paintFor = (isTerminal: boolean, env: Readonly<Record<string, string | undefined>>): Paint =>
  isTerminal && !env.NO_COLOR && env.TERM !== "dumb" ? colours : noPaint;
