import type { EventBus } from "./event-bus.ts";
import type { LiveProgress } from "./progress.ts";

/** What is shown as it happens; nothing is decided on it. */
export type Live = { readonly events: EventBus; readonly progress: LiveProgress };
