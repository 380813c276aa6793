import { t } from "@lingui/core/macro";
import { useEffect, useRef, useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import fieldCss from "../../ui/controls/field.module.css";
import { useKeys } from "../../ui/controls/keys.tsx";
import css from "./nodes.module.css";

const typingMs = 250;

/** The typed text goes into the address once typing pauses. */
export const SearchBox = ({
  text = "",
  onSearch,
}: {
  readonly text: string | undefined;
  readonly onSearch: (text: string | undefined) => void;
}) => {
  const input = useRef<HTMLInputElement>(null);
  const latest = useRef(onSearch);
  latest.current = onSearch;
  const [typed, setTyped] = useState(text);
  useEffect(() => setTyped(text), [text]);
  useEffect(() => {
    if (typed === text) return;
    return systemClock.after(typingMs, () => latest.current(typed || undefined));
  }, [typed, text]);
  useKeys([{ keys: "/", word: t`Search nodes`, run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      className={`${fieldCss.input} ${css.search}`}
      dir="auto"
      aria-label={t`Search by name, tag, program, version, machine or person`}
      placeholder={t`Name, tag, program, version  ( / )`}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
};
