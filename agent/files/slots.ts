type Waiting = { readonly place: string; readonly begin: () => void };

/** How many may run at a time, and how many of them at one place. */
type Limits = { readonly atOnce: number; readonly atOnePlace: number };

/**
 * Lets a few pieces of work run at a time, in their order. One place never gets all the slots, so a server that never
 * ends does not keep others waiting.
 */
export const createSlots = ({ atOnce, atOnePlace }: Limits) => {
  const busy = new Map<string, number>();
  const waiting: Waiting[] = [];
  let running = 0;

  const fits = ({ place }: Waiting): boolean => running < atOnce && (busy.get(place) ?? 0) < atOnePlace;
  const goOn = (): void => {
    for (let at = waiting.findIndex(fits); at >= 0; at = waiting.findIndex(fits)) {
      const [next] = waiting.splice(at, 1);
      if (!next) return;
      running += 1;
      busy.set(next.place, (busy.get(next.place) ?? 0) + 1);
      next.begin();
    }
  };
  const leave = (place: string): void => {
    running -= 1;
    const left = (busy.get(place) ?? 1) - 1;
    if (left > 0) busy.set(place, left);
    else busy.delete(place);
    goOn();
  };

  /** Resolves when the work may begin, with what ends it. */
  return async (place: string): Promise<() => void> => {
    await new Promise<void>((begin) => {
      waiting.push({ place, begin });
      goOn();
    });
    return () => leave(place);
  };
};
