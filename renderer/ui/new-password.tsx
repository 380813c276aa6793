import { useState } from "react";
import { leastPassword } from "../../shared/person.ts";
import { Field } from "./field.tsx";

type Props = {
  readonly label: string;
  /** Follows the rule of how long it must be. */
  readonly advice?: string;
  readonly value: string;
  readonly fault?: string | undefined;
  readonly onChange: (password: string) => void;
};

/** A password that is being chosen; the browser may propose one and keeps it. */
export const NewPassword = ({ label, advice, value, fault, onChange }: Props) => (
  <Field
    label={label}
    type="password"
    autoComplete="new-password"
    required
    minLength={leastPassword}
    hint={`At least ${leastPassword} characters${advice ? `; ${advice}` : ""}`}
    value={value}
    fault={fault}
    onChange={(e) => onChange(e.target.value)}
  />
);

/** Somebody chooses a password where no other way in would be left after a slip of the finger, so it is written twice. */
export const useTwice = () => {
  const [password, setPassword] = useState("");
  const [again, setAgain] = useState("");
  const [mistake, setMistake] = useState<string>();
  return {
    password,
    /** Whether both are the same; where they are not, the second field says so. */
    isSure: (): boolean => {
      setMistake(password === again ? undefined : "The two passwords differ");
      return password === again;
    },
    fields: (label: string, fault?: string) => (
      <>
        <NewPassword label={label} value={password} fault={fault} onChange={setPassword} />
        <Field
          label="Password again"
          type="password"
          autoComplete="new-password"
          required
          fault={mistake}
          value={again}
          onChange={(e) => setAgain(e.target.value)}
        />
      </>
    ),
  };
};
