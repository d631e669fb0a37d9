import { useEffect, useRef, useState } from 'react';
import type { ImportDetails, ImportKind } from '../../../api/imports/contract.ts';
import { columnName } from '../../commands/imports/files.ts';
import { tSpaced } from '../../lib/i18n/cjk-spacing.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { lineClass } from '../../lib/ui/form/line-class.ts';
import type { Recheck } from './use-recheck.ts';

interface ColumnChoiceProps {
  kind: ImportKind;
  details: ImportDetails;
  recheck: Recheck;
}

const oneValue = 'one';

/** Maps each field to a column or to one value. A change makes the server check the file again. */
export function ColumnChoice({ kind, details, recheck }: ColumnChoiceProps) {
  const { head, mapping, fills, missing } = details;
  const [openFields, setOpenFields] = useState<readonly string[]>([]);

  function chooseColumn(field: string, value: string) {
    const remainingFills = Object.fromEntries(Object.entries(fills).filter(([name]) => name !== field));
    setOpenFields(value === oneValue ? [...openFields, field] : openFields.filter((name) => name !== field));
    if (value === oneValue && mapping[field] === null) return;
    const columnIndex = value === '' || value === oneValue ? null : Number(value);
    void recheck.reread({ mapping: { ...mapping, [field]: columnIndex }, fills: remainingFills });
  }
  return (
    <fieldset aria-busy={recheck.isBusy} className="flex flex-col gap-2">
      <legend className="mb-1.5 text-label font-semibold">{t('imports.columns')}</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3">
        {Object.entries(mapping).map(([field, at]) => {
          const isFilled = at === null && (field in fills || openFields.includes(field));
          return (
            <div key={field} className="flex flex-col gap-1">
              <label className="flex flex-col gap-1 text-meta text-2">
                {columnName(kind, field)}
                <select
                  data-field={field}
                  className={lineClass}
                  aria-label={tSpaced('imports.column', 'field', columnName(kind, field))}
                  aria-invalid={missing.includes(field) || undefined}
                  value={isFilled ? oneValue : (at ?? '')}
                  onChange={({ target }) => chooseColumn(field, target.value)}
                >
                  <option value="">{t('imports.noColumn')}</option>
                  {head.map((name, index) => (
                    // Column names may repeat, so use the position.
                    <option key={index} value={index}>
                      {optionName(head, name, index)}
                    </option>
                  ))}
                  <option value={oneValue}>{t('imports.oneValue')}</option>
                </select>
              </label>
              {isFilled && (
                <FillField
                  label={tSpaced('imports.valueFor', 'field', columnName(kind, field))}
                  field={field}
                  value={fills[field] ?? ''}
                  isFocused={openFields.includes(field)}
                  onSave={(value) => void recheck.reread({ fills: { ...fills, [field]: value } })}
                />
              )}
            </div>
          );
        })}
      </div>
      {missing.length > 0 && (
        <p role="alert" className="text-body text-danger-text">
          {t('imports.missing', { fields: missing.map((field) => columnName(kind, field)).join(' · ') })}
        </p>
      )}
    </fieldset>
  );
}

function optionName(head: readonly string[], name: string, columnIndex: number): string {
  const isShared = head.filter((candidate) => candidate === name).length > 1;
  return isShared || name === '' ? `${name || '—'} (${columnIndex + 1})` : name;
}

interface FillFieldProps {
  label: string;
  field: string;
  value: string;
  /** The person just chose one value for all rows. */
  isFocused: boolean;
  onSave: (value: string) => void;
}

/** One value for all rows, saved on Enter and blur. */
function FillField({ label, field, value, isFocused, onSave }: FillFieldProps) {
  const [enteredValue, setEnteredValue] = useState(value);
  const input = useRef<HTMLInputElement>(null);
  useEffect(() => {
    if (isFocused) input.current?.focus();
  }, [isFocused]);
  useEffect(() => setEnteredValue(value), [value]);
  const save = () => {
    if (enteredValue !== value && enteredValue.trim() !== '') onSave(enteredValue);
  };
  return (
    <input
      ref={input}
      data-fill={field}
      type="text"
      autoComplete="off"
      aria-label={label}
      placeholder={label}
      className={lineClass}
      value={enteredValue}
      onChange={({ target }) => setEnteredValue(target.value)}
      onBlur={save}
      onKeyDown={({ key }) => key === 'Enter' && save()}
    />
  );
}
