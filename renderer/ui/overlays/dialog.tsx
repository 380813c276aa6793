import { Trans } from "@lingui/react/macro";
import type { ReactNode } from "react";
import { Button } from "../controls/button.tsx";
import css from "./dialog.module.css";
import { Floating } from "./floating.tsx";

/** A sheet over the page; Esc or its button closes it, and the focus returns to where it was. */
export const Dialog = ({
  title,
  isOpen,
  onClose,
  hasOwnClose = false,
  children,
}: {
  readonly title: string;
  readonly isOpen: boolean;
  readonly onClose: () => void;
  /** One of its answers closes it and does nothing. */
  readonly hasOwnClose?: boolean;
  readonly children: ReactNode;
}) => (
  <Floating title={title} isOpen={isOpen} onClose={onClose} look={hasOwnClose ? css : { ...css, title: css.beside }}>
    {children}
    {/* The last of its stops, though it stands at the top: the first one is what the dialog asks for. */}
    {!hasOwnClose && (
      <span className={css.close}>
        <Button hint="Esc" look="quiet" onClick={onClose}>
          <Trans>Close</Trans>
        </Button>
      </span>
    )}
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
  <Dialog title={title} isOpen={isOpen} onClose={onClose} hasOwnClose>
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
