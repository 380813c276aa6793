import { useEffect, useRef, useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import { classes } from "../text/classes.ts";
import fieldCss from "./field.module.css";
import { useKeys } from "./keys.tsx";

const typingMs = 250;

type Props = {
  readonly text: string | undefined;
  /** Told once typing pauses; undefined for nothing. */
  readonly onSearch: (text: string | undefined) => void;
  /** What the key / does. */
  readonly keyWord: string;
  /** What it searches by. */
  readonly label: string;
  readonly placeholder: string;
  readonly className: string | undefined;
};

/** The search above a list. */
export const SearchBox = ({ text = "", onSearch, keyWord, label, placeholder, className }: Props) => {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    return systemClock.after(typingMs, () => latest.current(typed || undefined));
  }, [typed, text]);
  useKeys([{ keys: "/", word: keyWord, run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      className={classes(fieldCss.input, className)}
      dir="auto"
      aria-label={label}
      placeholder={placeholder}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
};
