import { basicCharacter, command, type Look, lookAfter, pairedCharacter, rowOf } from "./cea608.ts";
import { type Cue, type Line, type Span, textOf } from "./cue.ts";

/** Texts by their rows, as a decoder keeps them. */
type Screen = Map<number, Span[]>;

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

const control = ({ commands, write, showAtOnce, goTo, lookBy }: Screens, pair: number, now: number): void => {
  const known = commands[pair];
  const isRollUp = pair >= command.rollUp2 && pair <= command.rollUp4;
  const paired = pairedCharacter(pair);
  const chosen = rowOf(pair);
  if (known) known(now);
  else if (isRollUp) showAtOnce();
  else if (paired) write(paired.text, now, paired.replaces);
  else if (chosen !== undefined) {
    goTo(chosen);
    lookBy(pair);
  }
  // Codes within a row change its look, and take the place of a space.
  else if (pair >> 8 === 0x11) {
    lookBy(pair);
    write(" ", now);
  }
};

type Screens = ReturnType<typeof createScreens>;

/** The screen that is shown and the one that is written meanwhile. */
const createScreens = () => {
  const made: Cue[] = [];
  let hidden: Screen = new Map();
  let shown: { readonly since: number; readonly screen: Screen } | undefined;
  let mode: "pop-on" | "at once" = "pop-on";
  let row = 15;
  let look: Look = {};
  const lookBy = (pair: number): void => {
    look = lookAfter(pair, look) ?? look;
  };
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
    const written = screen.get(row) ?? [];
    screen.set(row, written);
    if (replaces) shorten(written);
    if (textOf(written).length < mostLetters) written.push({ text, ...look });
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
      look = {};
    },
    [command.backspace]: (now) => write("", now, true),
  };
  /** What was never erased is shown for some seconds. */
  const cues = (): Cue[] => {
    if (shown) end(shown.since + lastMs);
    return made;
  };
  return { write, goTo, lookBy, showAtOnce, commands, cues };
};

const lastMs = 5000;

/** No decoder shows more in a row. */
const mostLetters = 200;

/** Without its last letter. */
const shorten = (spans: Span[]): void => {
  const last = spans.pop();
  const text = [...(last?.text ?? "")].slice(0, -1).join("");
  if (last && text !== "") spans.push({ ...last, text });
};

const cueOf = (screen: Screen, from: number, to: number): Cue => {
  const rows = [...screen].filter(([, spans]) => textOf(spans).trim() !== "").sort(([a], [b]) => a - b);
  const lines = rows.map(([, spans]) => trimmed(spans));
  return { from, to, lines, ...((rows[0]?.[0] ?? 15) < 8 && { isTop: true as const }) };
};

/** Without spaces around it, and with single ones in it, whatever looks they have. */
const trimmed = (spans: readonly Span[]): Line => {
  let before = " ";
  const single = spans.flatMap((span) => {
    const text = [...span.text].filter((letter) => {
      const isNeeded = letter !== " " || before !== " ";
      before = letter;
      return isNeeded;
    });
    return text.length > 0 ? [{ ...span, text: text.join("") }] : [];
  });
  const last = single.at(-1);
  const text = last?.text.trimEnd() ?? "";
  return [...single.slice(0, -1), ...(last && text !== "" ? [{ ...last, text }] : [])].map(plainSpace);
};

/** A space looks the same in every look but an underlined one. */
const plainSpace = (span: Span): Span => (span.text === " " && !span.underline ? { text: " " } : span);
