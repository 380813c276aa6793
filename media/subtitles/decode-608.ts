import { basicCharacter, command, pairedCharacter, rowOf } from "./cea608.ts";
import type { Cue, Line } from "./cue.ts";

/** Texts by their rows, as a decoder keeps them. */
type Screen = Map<number, string>;

/** A decoder of channel 1: takes pairs as they are sent, with their milliseconds, and gives what was shown. */
export const createCaptionDecoder = () => {
  const screens = createScreens();
  let before = -1;
  let isOther = false;
  return {
    feed: (sent: number, now: number): void => {
      const pair = sent & 0x7f7f;
      const first = pair >> 8;
      const isControl = first >= 0x10 && first < 0x20;
      // Commands are sent twice, and count once.
      if (isControl && pair === before) {
        before = -1;
        return;
      }
      before = isControl ? pair : -1;
      if (isControl) isOther = first >= 0x18;
      if (isOther) return;
      if (isControl) control(screens, pair, now);
      else screens.write([first, pair & 0xff].map((byte) => basicCharacter(byte) ?? "").join(""), now);
    },
    cues: screens.cues,
  };
};

const control = ({ commands, write, showAtOnce, goTo }: Screens, pair: number, now: number): void => {
  const known = commands[pair];
  const isRollUp = pair >= command.rollUp2 && pair <= command.rollUp4;
  const paired = pairedCharacter(pair);
  const chosen = rowOf(pair);
  if (known) known(now);
  else if (isRollUp) showAtOnce();
  else if (paired) write(paired.text, now, paired.replaces);
  else if (chosen !== undefined) goTo(chosen);
  // Codes within a row change its look, and take the place of a space.
  else if (pair >> 8 === 0x11) write(" ", now);
};

type Screens = ReturnType<typeof createScreens>;

/** The screen that is shown and the one that is written meanwhile. */
const createScreens = () => {
  const made: Cue[] = [];
  let hidden: Screen = new Map();
  let shown: { readonly since: number; readonly screen: Screen } | undefined;
  let mode: "pop-on" | "at once" = "pop-on";
  let row = 15;
  const goTo = (chosen: number): void => {
    row = chosen;
  };
  const showAtOnce = (): void => {
    mode = "at once";
  };
  const end = (now: number): void => {
    if (shown && now > shown.since && shown.screen.size > 0) made.push(cueOf(shown.screen, shown.since, now));
    shown = undefined;
  };
  const screenNow = (now: number): Screen => {
    if (mode === "pop-on") return hidden;
    shown ??= { since: now, screen: new Map() };
    return shown.screen;
  };
  const write = (text: string, now: number, replaces = false): void => {
    const screen = screenNow(now);
    const written = screen.get(row) ?? "";
    screen.set(row, (replaces ? [...written].slice(0, -1).join("") : written).slice(0, 200) + text);
  };
  const commands: Readonly<Record<number, (now: number) => void>> = {
    [command.resumeLoading]: () => {
      mode = "pop-on";
    },
    [command.paintOn]: showAtOnce,
    [command.eraseHidden]: () => {
      hidden = new Map();
    },
    [command.eraseShown]: end,
    [command.show]: (now) => {
      end(now);
      shown = { since: now, screen: hidden };
      hidden = new Map();
    },
    [command.carriageReturn]: (now) => {
      end(now);
      goTo(15);
    },
    [command.backspace]: (now) => write("", now, true),
  };
  /** What was never erased is shown for some seconds. */
  const cues = (): Cue[] => {
    if (shown) end(shown.since + lastMs);
    return made;
  };
  return { write, goTo, showAtOnce, commands, cues };
};

const lastMs = 5000;

const cueOf = (screen: Screen, from: number, to: number): Cue => {
  const rows = [...screen].filter(([, text]) => text.trim() !== "").sort(([a], [b]) => a - b);
  const lines = rows.map(([, text]): Line => [{ text: text.trim().replaceAll(/ {2,}/g, " ") }]);
  return { from, to, lines, ...((rows[0]?.[0] ?? 15) < 8 && { isTop: true as const }) };
};
