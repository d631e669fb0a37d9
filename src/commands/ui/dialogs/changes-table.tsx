import type { ReactNode } from 'react';
import { t } from '../../../lib/i18n/i18n.ts';

export interface Change {
  /** Unique in its table, because labels can repeat. */
  key: string;
  label: string;
  /** Null: unknown. */
  before: ReactNode;
  after: ReactNode;
  /** False: `after` is not emphasized. */
  isChanged?: boolean;
  /** Internal name, for tests. */
  figure?: string;
}

export const ChangesTable = ({ of }: { of: readonly Change[] }) => (
  <table data-changes-table className="w-full text-body tabular-nums">
    <thead>
      <tr className="text-meta text-2">
        <th scope="col" className="py-1 text-start font-medium">
          {t('form.review.figure')}
        </th>
        <th scope="col" className="py-1 ps-4 text-end font-medium">
          {t('form.review.before')}
        </th>
        <th scope="col" className="py-1 ps-4 text-end font-medium">
          {t('form.review.after')}
        </th>
      </tr>
    </thead>
    <tbody>
      {of.map(({ key, label, before, after, isChanged = true, figure }) => (
        <tr key={key} data-figure={figure} className="border-t border-hairline align-baseline">
          <th scope="row" className="py-1 text-start font-regular text-2">
            {label}
          </th>
          <td className="py-1 ps-4 text-end wrap-anywhere whitespace-pre-line">{before ?? <UnreadValue />}</td>
          <td className={`py-1 ps-4 text-end wrap-anywhere whitespace-pre-line ${isChanged ? 'font-semibold' : 'text-2'}`}>
            {after ?? <UnreadValue />}
          </td>
        </tr>
      ))}
    </tbody>
  </table>
);

const UnreadValue = () => <span className="font-regular text-danger-text">{t('form.review.unknown')}</span>;
