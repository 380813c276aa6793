import { Menu as Base } from "@base-ui/react/menu";
import type { ReactElement, ReactNode } from "react";
import css from "./menu.module.css";

export type MenuItem = {
  readonly word: string;
  readonly run: () => void;
  readonly hint?: string;
  readonly isOff?: boolean;
};

/** A button that opens a list of actions. */
export const Menu = ({ trigger, items }: { readonly trigger: ReactElement; readonly items: readonly MenuItem[] }) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner className={css.place} sideOffset={4} align="end">
        <Base.Popup className={css.popup}>
          {items.map(({ word, run, hint, isOff }) => (
            <Base.Item key={word} className={css.item} disabled={isOff} onClick={run}>
              {word}
              {hint !== undefined && <kbd>{hint}</kbd>}
            </Base.Item>
          ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);

/** A button that opens a list of switches. */
export const Switches = <Key extends string>({
  trigger,
  choices,
  on,
  onToggle,
}: {
  readonly trigger: ReactElement;
  readonly choices: readonly { readonly key: Key; readonly word: ReactNode }[];
  readonly on: ReadonlySet<Key>;
  readonly onToggle: (key: Key) => void;
}) => (
  <Base.Root>
    <Base.Trigger render={trigger} />
    <Base.Portal>
      <Base.Positioner className={css.place} sideOffset={4} align="end">
        <Base.Popup className={css.popup}>
          {choices.map(({ key, word }) => (
            <Base.CheckboxItem
              key={key}
              className={css.item}
              checked={on.has(key)}
              onCheckedChange={() => onToggle(key)}
              closeOnClick={false}
            >
              <span className={css.tick} aria-hidden="true">
                {on.has(key) ? "✓" : ""}
              </span>
              {word}
            </Base.CheckboxItem>
          ))}
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  </Base.Root>
);
