import { useState } from 'react';
import type { ImportDetails, ImportKind, Mapping } from '../../../api/imports/contract.ts';
import { apiFor } from '../../lib/net/client.ts';
import { errorText } from '../../lib/net/errors.ts';
import { columnName } from '../../commands/imports/files.ts';
import { tApart } from '../../lib/i18n/apart.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { refreshResources } from '../../lib/net/query.ts';
import { lineClass } from '../../lib/ui/form/controls.tsx';

/** Which column of the file fills which field. A change has the file checked anew. */
export function ColumnChoice({ kind, details }: { kind: ImportKind; details: ImportDetails }) {
  const { row, headed, head, mapping, missing } = details;
  const [isBusy, setBusy] = useState(false);
  const [wrong, setWrong] = useState<string | null>(null);

  async function check(next: { headed?: boolean; mapping?: Mapping }) {
    if (isBusy) return; // not disabled meanwhile: that would take the focus away
    setBusy(true);
    setWrong(null);
    try {
      await apiFor(`${kind}.import`, crypto.randomUUID())[`${kind}Imports`].map({
        id: row.id,
        version: row.version,
        headed,
        mapping,
        ...next,
      });
    } catch (error) {
      setWrong(errorText(error));
    }
    await refreshResources([`${kind}Imports`]);
    setBusy(false);
  }
  return (
    <fieldset aria-busy={isBusy} className="flex flex-col gap-2">
      <legend className="mb-1.5 text-label font-semibold">{t('imports.columns')}</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3">
        {Object.entries(mapping).map(([field, at]) => (
          <label key={field} className="flex flex-col gap-1 text-meta text-2">
            {columnName(kind, field)}
            <select
              data-field={field}
              className={lineClass}
              aria-label={tApart('imports.column', 'field', columnName(kind, field))}
              aria-invalid={at === null || undefined}
              value={at ?? ''}
              onChange={({ target }) =>
                void check({ mapping: { ...mapping, [field]: target.value === '' ? null : Number(target.value) } })
              }
            >
              <option value="">{t('imports.noColumn')}</option>
              {head.map((name, index) => (
                // Columns may share a name: their place tells them apart.
                <option key={index} value={index}>
                  {name || '—'}
                </option>
              ))}
            </select>
          </label>
        ))}
      </div>
      <label className="flex items-center gap-2 self-start text-body">
        <input type="checkbox" checked={headed} onChange={({ target }) => void check({ headed: target.checked })} />
        {t('imports.headed')}
      </label>
      {missing.length > 0 && (
        <p role="alert" className="text-body text-danger-text">
          {t('imports.missing', { fields: missing.map((field) => columnName(kind, field)).join(' · ') })}
        </p>
      )}
      {wrong !== null && (
        <p role="alert" className="text-body text-danger-text">
          {wrong}
        </p>
      )}
    </fieldset>
  );
}
