import { messageOf } from "../../shared/basics/errors.ts";
import type { Deliver, Delivery, Receipt } from "../../shared/outbound/delivery.ts";
import type { Kernel } from "../kernel/kernel.ts";
import { readNetworkRules } from "../nodes/network-rules.ts";
import { plainText } from "../trail/about.ts";

export type SenderNeeds = {
  readonly farm: Pick<Kernel, "store">;
  /** Absent: this coordinator reaches nothing outside. */
  readonly deliver: Deliver | undefined;
};

/** A message whose way lacks the farm's rules, which are read when it goes out. */
export type Unruled = (rules: readonly string[]) => Delivery;

/** Characters; receivers may answer anything. */
const longestAnswer = 1000;

/** Sends the farm's own messages. A try never fails: what went wrong is its answer. */
export const createSender = ({ farm, deliver }: SenderNeeds) => {
  const ending = new AbortController();
  return {
    send: async (message: Unruled): Promise<Receipt> => {
      if (!deliver) return { isTaken: false, status: null, answer: "This coordinator sends nothing" };
      try {
        const receipt = await deliver(message(await readNetworkRules(farm)), ending.signal);
        return { ...receipt, answer: plainText(receipt.answer, longestAnswer) };
      } catch (problem) {
        return { isTaken: false, status: null, answer: plainText(messageOf(problem), longestAnswer) };
      }
    },
    /** What is under way is cut off: nobody knows whether it arrived. */
    end: (): void => ending.abort(),
    isEnding: (): boolean => ending.signal.aborted,
  };
};
