import type { PanelProps } from './panel-props.ts';
import { RefundApprovals, RefundFieldList } from './refund/fields.tsx';

/** In the review of a refund: what it pays out, where to, and who has signed. */
export function RefundPanel({ targets: [target] }: PanelProps) {
  if (target?.entity !== 'withdrawals') return null;
  return (
    <div className="flex flex-col gap-4 py-2">
      <RefundFieldList row={target.row} />
      <RefundApprovals row={target.row} />
    </div>
  );
}
