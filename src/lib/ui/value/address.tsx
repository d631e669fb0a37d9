import { shortenMiddle } from '../../format.ts';

export interface AddressProps {
  /** An address, hash, txid or id, in its canonical spelling. */
  value: string;
  /** All of it, in full: reviews and records. In rows it is cut to the first and last six; all of it is told by pointer, touch and `v` (tips.tsx, exact.ts). */
  whole?: boolean;
}

/** An address or hash. What is read out is always all of it. */
export function Address({ value, whole = false }: AddressProps) {
  const look = 'font-mono text-meta text-1';
  if (whole)
    return (
      <span className={`${look} break-all`} dir="ltr" translate="no">
        {value}
      </span>
    );
  return (
    <span className={look} dir="ltr" translate="no">
      <span aria-hidden="true" data-tip={value} data-exact={value}>
        {shortenMiddle(value)}
      </span>
      <span className="sr-only">{value}</span>
    </span>
  );
}
