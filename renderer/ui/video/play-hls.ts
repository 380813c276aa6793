type Wish = {
  readonly url: string;
  /** Seconds. */
  readonly from?: number;
  /** Its segments are made when they are asked for: wait for them, and ask for few ahead. */
  readonly isMadeOnDemand?: boolean;
  /** `words`: the server's own, if it gave any. */
  readonly onFail: (words: string | undefined) => void;
};

/** Plays an HLS playlist until the returned function is called. The player is large, so it is loaded only when needed. */
export const playHls = async (element: HTMLVideoElement, wish: Wish): Promise<() => void> => {
  const { url, from = -1, isMadeOnDemand = false, onFail } = wish;
  const { default: Hls } = await import("hls.js");
  if (!Hls.isSupported()) return playNatively(element, wish);
  // Its worker would be loaded from a blob, which the pages' policy forbids.
  const player = new Hls({ enableWorker: false, startPosition: from, ...(isMadeOnDemand && onDemand) });
  player.on(Hls.Events.ERROR, (_event, { fatal, networkDetails }) => fatal && onFail(wordsOf(networkDetails)));
  player.loadSource(url);
  player.attachMedia(element);
  return () => player.destroy();
};

const onDemand = {
  maxBufferLength: 8,
  maxMaxBufferLength: 16,
  backBufferLength: 60,
  fragLoadPolicy: {
    default: {
      maxTimeToFirstByteMs: 80_000,
      maxLoadTimeMs: 120_000,
      timeoutRetry: null,
      errorRetry: { maxNumRetry: 4, retryDelayMs: 1000, maxRetryDelayMs: 4000 },
    },
  },
};

/** Phones without media sources play HLS themselves. */
const playNatively = (element: HTMLVideoElement, { url, from = 0, onFail }: Wish) => {
  const fail = () => onFail(undefined);
  element.addEventListener("error", fail);
  element.src = url;
  element.currentTime = Math.max(0, from);
  return () => {
    element.removeEventListener("error", fail);
    element.removeAttribute("src");
    element.load();
  };
};

/** The message of an error's answer. */
const wordsOf = (request: unknown): string | undefined => {
  if (!(request instanceof XMLHttpRequest) || !(request.response instanceof ArrayBuffer)) return undefined;
  try {
    const answer: unknown = JSON.parse(new TextDecoder().decode(request.response));
    const isError = typeof answer === "object" && answer !== null && "message" in answer;
    return isError ? String(answer.message) : undefined;
  } catch {
    return undefined; // a proxy's page, or nothing at all
  }
};
