import type { DepositRow } from '../../../../api/deposits/contract.ts';
import { Chip } from '../../../lib/ui/value/chip.tsx';
import { TimeText } from '../../../lib/ui/value/time.tsx';

export function SignerList({ of }: { of: DepositRow['approvals'] }) {
  if (of.length === 0) return null;
  return (
    <ul className="flex flex-col gap-1">
      {of.map(({ email, at }) => (
        <li key={email} className="flex flex-wrap items-center gap-x-2">
          <Chip state="done">{email}</Chip>
          <span className="text-meta text-2">
            <TimeText iso={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}
