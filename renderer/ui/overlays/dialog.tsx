import type { ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import css from "./dialog.module.css";
import { Floating } from "./floating.tsx";

/** A sheet over the page; Esc closes it and the focus returns to where it was. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly children: ReactNode;
}) => (
  <Floating title={title} isOpen={isOpen} onClose={onClose} look={css}>
    {children}
  </Floating>
);

/** For what cannot be undone: says what is lost in numbers; the safe answer is on the left and has Esc. */
export const Confirm = ({
  title,
  text,
  keep,
  go,
  isOpen,
  onClose,
  onGo,
}: {
  readonly title: string;
  readonly text: string;
  readonly keep: string;
  readonly go: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  readonly onGo: () => void;
}) => (
  <Dialog title={title} isOpen={isOpen} onClose={onClose}>
    <p className={css.text}>{text}</p>
    <div className={css.answers}>
      <Button hint="Esc" onClick={onClose}>
        {keep}
      </Button>
      <Button
        look="primary"
        onClick={() => {
          onClose();
          onGo();
        }}
      >
        {go}
      </Button>
    </div>
  </Dialog>
);
