import { t } from "@lingui/core/macro";
import { Trans } from "@lingui/react/macro";
import { useQuery } from "@tanstack/react-query";
import { useNavigate } from "@tanstack/react-router";
import { useDeferredValue, useEffect, useState } from "react";
import { jobsQuery, nodesQuery } from "../data/queries.ts";
import { useMay } from "../data/session.tsx";
import { useKeyList } from "../ui/controls/keys.tsx";
import { Dialog } from "../ui/overlays/dialog.tsx";
import { Words } from "../ui/text/words.tsx";
import css from "./palette.module.css";
import { placesFor } from "./places.ts";

type Choice = { readonly key: string; readonly word: string; readonly hint: string; readonly run: () => void };

const mostChoices = 40;
/** What opens the palette, for buttons. */
export const paletteEvent = "mediafarm:palette";

/** Ctrl K: goes to any page, job or node, and runs any action that has a key now. */
export const Palette = () => {
  const [isOpen, setOpen] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key.toLowerCase() !== "k" || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setOpen(true);
    };
    const onAsk = () => setOpen(true);
    addEventListener("keydown", onKey);
    addEventListener(paletteEvent, onAsk);
    return () => {
      removeEventListener("keydown", onKey);
      removeEventListener(paletteEvent, onAsk);
    };
  }, []);
  return (
    <Dialog title={t`Search or do`} isOpen={isOpen} onClose={() => setOpen(false)}>
      <Inside onDone={() => setOpen(false)} />
    </Dialog>
  );
};

const Inside = ({ onDone }: { readonly onDone: () => void }) => {
  const [text, setText] = useState("");
  const [at, setAt] = useState(0);
  const choices = useChoices(useDeferredValue(text));
  const choose = (choice: Choice | undefined) => {
    if (!choice) return;
    onDone();
    choice.run();
  };
  const current = Math.min(at, choices.length - 1);
  const move = (by: number) => {
    const next = (current + by + choices.length) % Math.max(1, choices.length);
    setAt(next);
    document.getElementById(`choice-${next}`)?.scrollIntoView({ block: "nearest" });
  };
  return (
    <div className={css.palette}>
      <input
        type="text"
        role="combobox"
        aria-label={t`Search or do`}
        aria-expanded="true"
        aria-controls="choices"
        aria-activedescendant={choices.length > 0 ? `choice-${current}` : undefined}
        placeholder={t`A page, a job, a node, or what to do`}
        value={text}
        onChange={(event) => {
          setText(event.target.value);
          setAt(0);
        }}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown" || event.key === "ArrowUp") {
            event.preventDefault();
            move(event.key === "ArrowDown" ? 1 : -1);
          }
          if (event.key === "Enter") choose(choices[current]);
        }}
      />
      <div id="choices" role="listbox" aria-label={t`What was found`} className={css.choices} tabIndex={-1}>
        {choices.map((choice, index) => (
          <Option
            key={choice.key}
            {...{ choice, index }}
            isCurrent={index === current}
            onPoint={() => setAt(index)}
            onChoose={() => choose(choice)}
          />
        ))}
      </div>
      {choices.length === 0 && (
        <p>
          <Trans>Nothing found.</Trans>
        </p>
      )}
    </div>
  );
};

type OptionProps = {
  readonly choice: Choice;
  readonly index: number;
  readonly isCurrent: boolean;
  readonly onPoint: () => void;
  readonly onChoose: () => void;
};

const Option = ({ choice: { word, hint }, index, isCurrent, onPoint, onChoose }: OptionProps) => (
  // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus
  // biome-ignore lint/a11y/useKeyWithClickEvents: the field has the keys
  <div id={`choice-${index}`} role="option" aria-selected={isCurrent} onMouseMove={onPoint} onClick={onChoose}>
    <Words text={word} />
    <kbd>{hint}</kbd>
  </div>
);

const useChoices = (text: string): readonly Choice[] => {
  const navigate = useNavigate();
  const keys = useKeyList();
  const places = placesFor(useMay("owner"));
  const { data: nodes = [] } = useQuery(nodesQuery);
  const { data: found } = useQuery({ ...jobsQuery({ text }, 0), enabled: text.length > 1 });
  const fits = (word: string) => word.toLowerCase().includes(text.toLowerCase());
  const all: readonly Choice[] = [
    ...places
      .map(({ to, word, about = word }) => ({ to, word: about }))
      .filter(({ word }) => fits(word))
      .map(({ to, word }) => ({ key: to, word: t`Go to ${word}`, hint: t`page`, run: () => void navigate({ to }) })),
    ...keys()
      .filter(({ word, isPlace }) => !isPlace && fits(word))
      .map(({ keys: hint, word, run }) => ({ key: `${hint} ${word}`, word, hint, run })),
    ...nodes
      .filter(({ name }) => text !== "" && fits(name))
      .map(({ id, name }) => ({
        key: `node ${id}`,
        word: name,
        hint: t`node`,
        run: () => void navigate({ to: "/nodes/$nodeId", params: { nodeId: id } }),
      })),
    ...(found?.items ?? []).map(({ id, name }) => ({
      key: `job ${id}`,
      word: `${id} ${name}`,
      hint: t`job`,
      run: () => void navigate({ to: "/jobs/$jobId", params: { jobId: id }, search: {} }),
    })),
  ];
  return withoutDoubles(all).slice(0, mostChoices);
};

/** One thing that can be done is there once, however many parts of the page offer it; jobs and nodes keep equal names. */
const withoutDoubles = (choices: readonly Choice[]): readonly Choice[] => {
  const known = new Set<string>();
  return choices.filter(({ key, word }) => {
    const name = /^(?:job|node) \d/.test(key) ? key : word.toLowerCase();
    if (known.has(name)) return false;
    known.add(name);
    return true;
  });
};
