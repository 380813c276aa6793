import { sleep } from "../../shared/basics/clock.ts";
import { systemClock } from "../../shared/basics/system-clock.ts";

/** Style sheets that could not be read, by their addresses: Vite asks for each one once, and counts it as read from then on. */
const missing = new Set<string>();
const againMs = 1000;
/** A farm that says nothing for so long does not answer. */
const answerMs = 10_000;

/** Notes which style sheets could not be read. */
export const watchStyleSheets = (): void => {
  // Such events are told to the element alone, but for who listens on the way to it.
  const onError = ({ target }: Event) => {
    if (!(target instanceof HTMLLinkElement) || target.rel !== "stylesheet") return;
    missing.add(target.href);
    target.remove();
  };
  document.addEventListener("error", onError, true);
};

/**
 * Reads a part of the pages, with its style sheets. While the farm does not answer, it is tried again: the part comes when
 * the farm does. What a farm that answers does not have is thrown: after an upgrade, the whole page is read anew.
 */
export const readPart = async <Part>(read: () => Promise<Part>): Promise<Part> => {
  for (let isFirst = true; ; isFirst = false) {
    try {
      await Promise.all([...missing].map(readStyleSheet));
      return await read();
    } catch (problem) {
      if (isFirst) continue;
      if (await doesAnswer()) throw problem;
      await sleep(systemClock, againMs);
    }
  }
};

const readStyleSheet = (href: string): Promise<void> => {
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const link = Object.assign(document.createElement("link"), { rel: "stylesheet", crossOrigin: "", href });
  link.addEventListener("load", () => {
    missing.delete(href);
    resolve();
  });
  link.addEventListener("error", () => reject(new Error(`${href} could not be read`)));
  document.head.append(link);
  return promise;
};

/** A machine that has slept may ask over a connection that leads nowhere: that has an end too. */
const doesAnswer = (): Promise<boolean> =>
  fetch(document.baseURI, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(answerMs) }).then(
    () => true,
    () => false,
  );
