import { Words } from "./words.tsx";

/** Names and their values. */
export const Facts = ({
  rows,
  className,
}: {
  readonly rows: readonly (readonly [name: string, value: string])[];
  readonly className?: string | undefined;
}) => (
  <dl className={className}>
    {rows.map(([name, value]) => (
      <div key={name}>
        <dt>{name}</dt>
        <dd>
          <Words text={value} wraps />
        </dd>
      </div>
    ))}
  </dl>
);
