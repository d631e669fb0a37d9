import { shortenMiddle } from '../../format.ts';

export interface AddressProps {
  /** In canonical spelling. */
  value: string;
  /** Unshortened. Otherwise the first and last six characters, with a tooltip and `v` for all (tips.tsx, exact.ts). */
  whole?: boolean;
}

/** Always read out in full. */
export function Address({ value, whole = false }: AddressProps) {
  const textClass = 'font-mono text-meta text-1';
  if (whole)
    return (
      <span className={`${textClass} break-all`} dir="ltr" translate="no">
        {value}
      </span>
    );
  return (
    <span className={textClass} dir="ltr" translate="no">
      <span aria-hidden="true" data-tip={value} data-exact={value}>
        {shortenMiddle(value)}
      </span>
      <span className="sr-only">{value}</span>
    </span>
  );
}
