import type { Clock } from "../../shared/basics/clock.ts";

/** Room for the work of one caller at a time, in units of about a small request. */
export type Room = {
  /** What all callers share while there are several. */
  readonly shared: number;
  /** What a caller has who is alone. */
  readonly alone: number;
  /** A rest after heavy work, at most, in milliseconds. */
  readonly restMs: number;
};

/** Callers who asked for something within this time share the room. */
const recentMs = 1000;
/** Work that lasts longer waits for something else, such as a node, and gives its room back. */
const longestMs = 2000;
/** Bytes, of a body or an answer, that count as much as one small request. */
const bytesPerUnit = 8192;
/** Work of so many small requests is heavy: while others are at work, its caller rests after it … */
const heavyUnits = 4;
/** … for some times as long as the loop is taken by such bytes. */
const restMsPerUnit = 4;
/** Who asked within this time is at work: their next request may wait in its socket, where a busy loop does not see it. */
const atWorkMs = 250;

/** Reading in lists takes a processor from the loop, where there are few. So many milliseconds count as one small request … */
const readMsPerUnit = 4;
/** … and from so many on, while others are at work, the caller rests after it … */
const heavyReadMs = 10;
/** … for so many times as long. */
const restsPerRead = 4;

type Share = {
  used: number;
  readonly waiting: Waiting[];
  last: number;
  /** Bytes of an answer, and milliseconds that were read for it. */
  usual: number;
  usualReadMs: number;
};
type Waiting = { readonly weight: number; readonly begin: () => void };

export type Turn = {
  /** Resolves when the work may begin. */
  readonly begun: Promise<void>;
  /** It has ended, with an answer of so many bytes; further calls do nothing. */
  readonly end: (answered?: number) => void;
  /** Its work had something read, which took so many milliseconds of a processor. */
  readonly reads: (ms: number) => void;
  /** What its caller may have under way now, in small requests, and how much of that is left. */
  readonly room: () => { readonly most: number; readonly left: number };
};

export type Turns = ReturnType<typeof createTurns>;

/**
 * Lets callers work side by side, each with an equal part of the room: whoever asks for much waits for themselves and not
 * for others. Work is weighed by the bytes that it brings, and by those that the caller's answers usually had and by what was read for them;
 * after heavy work its caller rests. Somebody who is alone is hardly held up, and everybody has at least one piece of work under way.
 */
export const createTurns = (
  { shared, alone, restMs: longestRestMs }: Room,
  { monotonic, after }: Pick<Clock, "monotonic" | "after">,
) => {
  /** Whoever asked last is the last one. */
  const shares = new Map<string, Share>();

  /** Ends of rests under way. */
  const rests = new Set<() => void>();

  const forgetIdle = (): void => {
    for (const [name, { used, last }] of shares) {
      if (monotonic() - last < recentMs) return;
      if (used === 0) shares.delete(name);
    }
  };
  const touch = (name: string): Share => {
    const share = shares.get(name) ?? { used: 0, waiting: [], last: 0, usual: 0, usualReadMs: 0 };
    shares.delete(name);
    share.last = monotonic();
    shares.set(name, share);
    forgetIdle();
    return share;
  };
  const most = (): number => (shares.size === 1 ? alone : shared / shares.size);
  const fits = ({ used }: Share, weight: number): boolean => used === 0 || used + weight <= most();
  const roomOf = ({ used }: Share) => {
    const quota = Math.max(1, Math.floor(most()));
    return { most: quota, left: Math.max(0, Math.floor(quota - used)) };
  };
  const goOn = (share: Share): void => {
    for (let next = share.waiting[0]; next && fits(share, next.weight); next = share.waiting[0]) {
      share.waiting.shift();
      next.begin();
    }
  };
  const isAtWork = ({ used, last }: Share): boolean => used > 0 || monotonic() - last < atWorkMs;
  const othersWork = (share: Share): boolean => [...shares.values()].some((each) => each !== share && isAtWork(each));
  const giveBack = (share: Share, weight: number, { bytes, readMs }: Cost): void => {
    const free = (): void => {
      share.used -= weight;
      goOn(share);
    };
    const restMs = Math.min(longestRestMs, Math.max(restMsAfter(bytes), restMsAfterReading(readMs)));
    if (restMs === 0 || !othersWork(share)) {
      free();
      return;
    }
    const stop = after(restMs, () => {
      rests.delete(stop);
      free();
    });
    rests.add(stop);
  };

  return {
    /** Takes the next turn of a caller for work that brings so many bytes. */
    take: (name: string, bytes = 0): Turn => {
      const share = touch(name);
      const weight =
        1 + Math.floor((bytes + share.usual) / bytesPerUnit) + Math.floor(share.usualReadMs / readMsPerUnit);
      const begun = Promise.withResolvers<void>();
      let state: "waiting" | "begun" | "ended" = "waiting";
      let stop: (() => void) | undefined;
      let readMs = 0;
      const end = (answered?: number): void => {
        if (answered !== undefined) learn(share, { bytes: answered, readMs });
        if (state === "ended") return;
        stop?.();
        if (state === "begun") giveBack(share, weight, { bytes: bytes + (answered ?? 0), readMs });
        else {
          share.waiting.splice(share.waiting.indexOf(waiting), 1);
          goOn(share);
        }
        state = "ended";
        begun.resolve();
      };
      const waiting: Waiting = {
        weight,
        begin: () => {
          state = "begun";
          share.used += weight;
          stop = after(longestMs, () => end());
          begun.resolve();
        },
      };
      if (share.waiting.length === 0 && fits(share, weight)) waiting.begin();
      else share.waiting.push(waiting);
      const reads = (ms: number): void => {
        readMs += ms;
      };
      return { begun: begun.promise, end, reads, room: () => roomOf(share) };
    },
    /** Nobody rests any more: the coordinator stops. */
    stop: (): void => {
      for (const stop of rests) stop();
    },
    /** Callers who asked for something just now. */
    active: (): number => shares.size,
  };
};

type Cost = { readonly bytes: number; readonly readMs: number };

const learn = (share: Share, { bytes, readMs }: Cost): void => {
  share.usual += (bytes - share.usual) / 8;
  share.usualReadMs += (readMs - share.usualReadMs) / 8;
};

const restMsAfterReading = (ms: number): number => (ms < heavyReadMs ? 0 : ms * restsPerRead);

const restMsAfter = (bytes: number): number => {
  const units = Math.floor(bytes / bytesPerUnit);
  return units < heavyUnits ? 0 : units * restMsPerUnit;
};
