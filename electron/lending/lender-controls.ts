import type { LendingAction, LendingRules } from "../../shared/lending/lending.ts";
import type { SettingsStore } from "../desktop/settings.ts";
import type { createFarmServices } from "../services/farm-services.ts";
import type { createOwnNode } from "./own-node.ts";

type ControlsNeeds = {
  readonly settings: SettingsStore;
  readonly services: Pick<ReturnType<typeof createFarmServices>, "tellAgent" | "restartAgent">;
  readonly node: Pick<ReturnType<typeof createOwnNode>, "mayChange" | "update">;
  readonly onChange: () => void;
};

/** What the owner may change while this computer lends itself. Each change is stored and takes effect at once. */
export const createLenderControls = ({ settings, services, node, onChange }: ControlsNeeds) => {
  /** While an update waits, nothing new starts here. */
  let isDraining = false;

  const tellRules = (): void => {
    const { lending, press } = settings.get();
    const held: LendingRules = isDraining ? { ...lending, lend: "never", onReturn: "finish" } : lending;
    services.tellAgent({ type: "rules", lending: held, press: press ?? undefined });
    onChange();
  };

  return {
    setRules: (rules: LendingRules): void => {
      settings.change({ lending: rules });
      tellRules();
    },
    press: (press: LendingAction | null): void => {
      settings.change({ press });
      tellRules();
    },
    /** Running tasks finish and no new ones start, until this is undone. */
    drain: (isWanted: boolean): void => {
      isDraining = isWanted;
      tellRules();
    },
    /** 0: as many as the agent finds right. */
    setSlots: async (slots: number): Promise<void> => {
      settings.change({ slots: slots === 0 ? undefined : slots });
      if (settings.get().farm.mode === "farm" && slots > 0 && node.mayChange()) {
        await node.update({ slots });
        return onChange();
      }
      await services.restartAgent();
    },
    setRoots: async (roots: readonly string[]): Promise<void> => {
      settings.change({ roots: [...roots] });
      await services.restartAgent();
      onChange();
    },
  };
};
