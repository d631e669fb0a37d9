import { useState, type KeyboardEvent } from 'react';
import { valueText } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { nameOf } from '../../lib/i18n/name-of.ts';
import { issueTexts } from '../../lib/ui/form/issues.ts';
import type { Field } from '../core/fields.ts';
import { parseParams } from '../core/issues.ts';
import type { OpenQuestion } from '../surfaces/questions.ts';
import { PaletteList, type PaletteRow } from './list.tsx';
import { Chip, Footer, Marked } from './parts.tsx';

/** Asks for a command's parameters in the palette, one field after another; Backspace on an empty line steps back. */
export function Step({ open }: { open: OpenQuestion }) {
  const { command, given } = open.question;
  const fields = Object.entries(command.params?.fields ?? {});
  const [values, setValues] = useState<Record<string, unknown>>({});
  const [at, setAt] = useState(0);
  const [query, setQuery] = useState('');
  const [wrong, setWrong] = useState<string | null>(null);
  const [name, field] = fields[at] ?? ['', null];
  if (!field || !command.params) return null;
  const label = t(field.label);

  const fill = async (value: unknown) => {
    const next = { ...values, [name]: value };
    const parsed = command.params ? await parseParams(command.params, { ...given, ...next }) : { values: next };
    const issue = 'issues' in parsed ? parsed.issues.find(({ path }) => path === name) : undefined;
    if (issue) return setWrong(issueTexts([issue], command.params?.fields as never)[name] ?? '');
    setWrong(null);
    setValues(next);
    setQuery('');
    if (at + 1 < fields.length) setAt(at + 1);
    else open.answer({ ...given, ...next });
  };

  const rows = field.as === 'choice' ? optionRows(field, query) : [];
  const setback = open.setback?.error ? t(`errors.code.${open.setback.error.code}`) : null;
  const error = wrong ?? setback;

  const onKeyDown = (event: KeyboardEvent<HTMLInputElement>) => {
    const back = event.key === 'Escape' || (event.key === 'Backspace' && query === '' && !event.repeat);
    if (back) {
      event.preventDefault();
      event.stopPropagation();
      if (event.key === 'Escape' && query !== '') setQuery('');
      else if (at > 0) setAt(at - 1);
      else open.answer(null);
    } else if (event.key === 'Enter' && field.as !== 'choice') {
      event.preventDefault();
      void fill(query);
    }
  };

  return (
    <>
      <PaletteList
        label={label}
        query={query}
        onQuery={(text) => {
          setWrong(null);
          setQuery(text);
        }}
        placeholder={t(field.as === 'choice' ? 'palette.placeholderChoose' : 'palette.placeholderStep', { label })}
        rows={rows}
        onSelect={(value) => void fill(value.slice('option:'.length))}
        onKeyDown={onKeyDown}
        empty={error ? '' : field.as === 'choice' ? t('palette.empty') : t('palette.enterToGoOn')}
        invalid={wrong !== null}
        describedBy={error ? 'palette-step-error' : undefined}
        secret={field.as === 'secret'}
        chips={
          <>
            <Chip text={nameOf(command.id)} />
            {fields.slice(0, at).map(([key, { as, label: of }]) => (
              <Chip key={key} text={`${t(of)}: ${as === 'secret' ? '••••' : valueText(values[key])}`} />
            ))}
          </>
        }
      />
      {error && (
        <p id="palette-step-error" role="alert" className="px-4 pb-3 text-danger-text">
          {error}
        </p>
      )}
      <Footer back />
    </>
  );
}

function optionRows(field: Extract<Field, { as: 'choice' }>, query: string): PaletteRow[] {
  const asked = query.trim().toLowerCase();
  return field.options.flatMap(({ value, label }) => {
    const text = t(label);
    const from = text.toLowerCase().indexOf(asked);
    if (from < 0 && !value.includes(asked)) return [];
    const marks = asked && from >= 0 ? [...asked].map((_, index) => from + index) : [];
    return [{ value: `option:${value}`, content: <Marked text={text} marks={marks} /> }];
  });
}
