import { useEffect, useState } from 'react';
import type { DepositRow } from '../../../../api/deposits/contract.ts';
import { DepositEvidence } from './deposit/evidence.tsx';
import { DepositApprovals, DepositFieldList } from './deposit/fields.tsx';
import { valueText } from '../../../lib/format.ts';
import type { PanelProps } from './panel.tsx';

const pauseMs = 400;

/** A deposit's evidence beside its form; in a review every field in full as well, and who has said yes. */
export function DepositPanel({ targets: [target], values }: PanelProps) {
  const row = target?.entity === 'deposits' ? target.row : null;
  if (values) return <Typed values={values} except={row?.id ?? null} />;
  if (!row) return null;
  return <Reviewed row={row} />;
}

function Reviewed({ row }: { row: DepositRow }) {
  return (
    <div className="flex flex-col gap-4 py-2">
      <DepositFieldList row={row} />
      <DepositEvidence of={{ id: row.id, version: row.version }} />
      <DepositApprovals row={row} />
    </div>
  );
}

function Typed({ values, except }: { values: Readonly<Record<string, unknown>>; except: string | null }) {
  const txid = valueText(values['txid']).trim();
  const vout = valueText(values['vout']).trim();
  const typed = JSON.stringify({
    txid,
    vout,
    coboAddress: valueText(values['coboAddress']).trim().slice(0, 100),
    amount: valueText(values['amount']).slice(0, 40),
    except,
  });
  const settled = useSettled(typed);
  const isAsked = /^(0x)?[0-9a-f]{64}$/i.test(txid) && /^\d{1,9}$/.test(vout);
  return <DepositEvidence of={isAsked && settled ? (JSON.parse(settled) as never) : null} pending={settled !== typed} />;
}

/** The value once it has stood still for a moment. */
function useSettled(value: string): string | null {
  const [settled, setSettled] = useState<string | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
}
