import { t } from "@lingui/core/macro";
import { useNavigate } from "@tanstack/react-router";
import { useEffect, useRef, useState } from "react";
import { systemClock } from "../../../shared/basics/system-clock.ts";
import fieldCss from "../../ui/controls/field.module.css";
import { useKeys } from "../../ui/controls/keys.tsx";
import css from "./jobs.module.css";

const typingMs = 250;

/** The typed text goes into the address once typing pauses. */
export const SearchBox = ({ text }: { readonly text: string | undefined }) => {
  const navigate = useNavigate();
  const input = useRef<HTMLInputElement>(null);
  const [typed, setTyped] = useState(text ?? "");
  useEffect(() => setTyped(text ?? ""), [text]);
  useEffect(() => {
    if (typed === (text ?? "")) return;
    return systemClock.after(
      typingMs,
      () =>
        void navigate({ to: "/jobs", search: (old: object) => ({ ...old, text: typed || undefined }), replace: true }),
    );
  }, [typed, text, navigate]);
  useKeys([{ keys: "/", word: t`Search jobs`, run: () => input.current?.focus() }]);
  return (
    <input
      ref={input}
      type="search"
      className={`${fieldCss.input} ${css.search}`}
      dir="auto"
      aria-label={t`Search by name, tag, owner, id, file, error or node`}
      placeholder={t`Name, file, error, node…  ( / )`}
      value={typed}
      onChange={(event) => setTyped(event.target.value)}
      onKeyDown={(event) => {
        if (event.key === "Escape") event.currentTarget.blur();
      }}
    />
  );
};
