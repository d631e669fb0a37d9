import { useEffect, useState } from 'react';
import {
  decimalMarks,
  delimiters,
  timeFields,
  type Delimiter,
  type ImportDetails,
  type ImportKind,
  type ImportQuestion,
} from '../../../api/imports/contract.ts';
import { encodings } from '../../../api/encodings.ts';
import { groupDigits, zoneName } from '../../lib/format.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Button } from '../../lib/ui/button.tsx';
import { lineClass } from '../../lib/ui/form/line-class.ts';
import { ImportWarning } from './parts.tsx';
import type { Recheck } from './use-recheck.ts';

interface ReadingProps {
  kind: ImportKind;
  details: ImportDetails;
  recheck: Recheck;
}

const delimiterWords = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'pipe' } as const satisfies Record<Delimiter, string>;
export const delimiterName = (delimiter: Delimiter): string => t(`imports.delimiter.${delimiterWords[delimiter]}`);

const detectedOptions = { firstLine: null, headed: null, decimal: null, mapping: null } as const;
const sampleNumbers = { '.': '1,234.5', ',': '1.234,5' } as const;

/** Encoding and table options. A change makes the server read the file again. */
export function ReadingChoice({ kind, details, recheck }: ReadingProps) {
  const { row, reading, skipped } = details;
  const viewerZone = Intl.DateTimeFormat().resolvedOptions().timeZone;
  const zones = [...new Set(['UTC', viewerZone, reading.zone])];
  const rowsAbove = reading.firstLine - 1; // `skipped.above` contains only the first of them
  const readingNotes = [
    ...(skipped.above.length > 0
      ? [
          {
            text: t('imports.above', { n: rowsAbove, count: groupDigits(rowsAbove) }),
            lines: skipped.above,
          },
        ]
      : []),
    ...(skipped.comments > 0
      ? [{ text: t('imports.commentsLeft', { n: skipped.comments, count: groupDigits(skipped.comments) }), lines: [] }]
      : []),
  ];
  return (
    <fieldset aria-busy={recheck.isBusy} data-reading className="flex flex-col gap-2">
      <legend className="mb-1.5 text-label font-semibold">{t('imports.reading')}</legend>
      <div className="grid grid-cols-2 gap-x-3 gap-y-2 sm:grid-cols-3">
        <label className="flex flex-col gap-1 text-meta text-2">
          {t('imports.encodingLabel')}
          <select
            data-reading-of="encoding"
            className={lineClass}
            value={reading.encoding}
            onChange={({ target }) => {
              const encoding = encodings.find((candidate) => candidate === target.value);
              if (encoding) void recheck.reread({ ...detectedOptions, encoding });
            }}
          >
            {encodings.map((encoding) => (
              <option key={encoding} value={encoding}>
                {t(`imports.encoding.${encoding}`)}
              </option>
            ))}
          </select>
        </label>
        <label className="flex flex-col gap-1 text-meta text-2">
          {t('imports.delimiterLabel')}
          <select
            data-reading-of="delimiter"
            className={lineClass}
            value={reading.delimiter}
            onChange={({ target }) => {
              const delimiter = delimiters.find((candidate) => candidate === target.value);
              if (delimiter) void recheck.reread({ ...detectedOptions, delimiter });
            }}
          >
            {delimiters.map((delimiter) => (
              <option key={delimiter} value={delimiter}>
                {delimiterName(delimiter)}
              </option>
            ))}
          </select>
        </label>
        <FirstLine
          value={reading.firstLine}
          onSave={(firstLine) => void recheck.reread({ firstLine, headed: null, mapping: null })}
        />
        <label className="flex flex-col gap-1 text-meta text-2">
          {t('imports.numbersLabel')}
          <select
            data-reading-of="decimal"
            translate="no"
            className={`${lineClass} tabular-nums`}
            value={reading.decimal}
            onChange={({ target }) => {
              const decimal = decimalMarks.find((candidate) => candidate === target.value);
              if (decimal) void recheck.reread({ decimal });
            }}
          >
            {decimalMarks.map((decimalMark) => (
              <option key={decimalMark} value={decimalMark}>
                {sampleNumbers[decimalMark]}
              </option>
            ))}
          </select>
        </label>
        {timeFields[kind].length > 0 && (
          <label className="flex flex-col gap-1 text-meta text-2">
            {t('imports.zoneLabel')}
            <select
              data-reading-of="zone"
              translate="no"
              className={lineClass}
              value={reading.zone}
              onChange={({ target }) => void recheck.reread({ zone: target.value })}
            >
              {zones.map((zone) => (
                <option key={zone} value={zone}>
                  {zoneName(new Date(), zone)}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <div className="flex flex-wrap gap-x-4 gap-y-1">
        <label className="flex min-h-6 items-center gap-2 text-body">
          <input
            type="checkbox"
            className="size-3.5 accent-accent"
            checked={reading.headed}
            onChange={({ target }) => void recheck.reread({ headed: target.checked, mapping: null })}
          />
          {t('imports.headed')}
        </label>
        {(skipped.comments > 0 || !reading.comments) && (
          <label className="flex min-h-6 items-center gap-2 text-body">
            <input
              type="checkbox"
              className="size-3.5 accent-accent"
              checked={reading.comments}
              onChange={({ target }) => void recheck.reread({ comments: target.checked })}
            />
            {t('imports.comments')}
          </label>
        )}
      </div>
      {readingNotes.map(({ text, lines }) => (
        <div key={text} data-skipped className="text-meta text-2">
          {text}
          {lines.map((line, index) => (
            <div key={index} className="truncate font-mono" translate="no">
              {line}
            </div>
          ))}
        </div>
      ))}
      {row.edited > 0 && (
        <p className="text-meta text-2">{t('imports.discards', { n: row.edited, count: groupDigits(row.edited) })}</p>
      )}
      {recheck.problem !== null && (
        <p role="alert" className="text-body text-danger-text">
          {recheck.problem}
        </p>
      )}
    </fieldset>
  );
}

/** Saved on Enter and blur. */
function FirstLine({ value, onSave }: { value: number; onSave: (line: number) => void }) {
  const [enteredLine, setEnteredLine] = useState(String(value));
  useEffect(() => setEnteredLine(String(value)), [value]);
  const save = () => {
    const line = Number(enteredLine);
    if (Number.isInteger(line) && line >= 1 && line <= 100_000) {
      if (line !== value) onSave(line);
    } else setEnteredLine(String(value));
  };
  return (
    <label className="flex flex-col gap-1 text-meta text-2">
      {t('imports.firstLine')}
      <input
        data-reading-of="firstLine"
        type="text"
        inputMode="numeric"
        autoComplete="off"
        className={`${lineClass} tabular-nums`}
        value={enteredLine}
        onChange={({ target }) => setEnteredLine(target.value)}
        onBlur={save}
        onKeyDown={({ key }) => key === 'Enter' && save()}
      />
    </label>
  );
}

/** Ambiguities to resolve before the import can start. */
export function ReadingQuestions({ details, recheck }: Omit<ReadingProps, 'kind'>) {
  const { row, reading, samples, shortRows, joinedRows, unclearNumbers, timesWithoutZone } = details;
  const counts = { shortRows, joinedRows, numbers: unclearNumbers, zone: timesWithoutZone };
  const confirmQuestion = (question: ImportQuestion) => void recheck.reread({ answers: [question] });
  return row.questions.map((question) => (
    <ImportWarning key={question}>
      <span data-question={question} className="flex flex-col items-start gap-2">
        <span>
          {question === 'encoding' || question === 'delimiter' || question === 'header'
            ? t(`imports.question.${question}`)
            : t(`imports.question.${question}`, { n: counts[question], count: groupDigits(counts[question]) })}
        </span>
        {question === 'encoding' && (
          <span role="radiogroup" aria-label={t('imports.encodingLabel')} className="flex flex-col gap-1">
            {samples.map(({ encoding, text }) => (
              <label key={encoding} className="flex min-h-6 items-baseline gap-2">
                <input
                  type="radio"
                  name={`encoding ${row.id}`}
                  className="size-3.5 translate-y-0.5 accent-accent"
                  value={encoding}
                  checked={encoding === reading.encoding}
                  onChange={() => void recheck.reread({ ...detectedOptions, encoding })}
                />
                <span className="min-w-0 break-words">
                  <bdi translate="no" className="text-1">
                    {text}
                  </bdi>{' '}
                  <span className="text-meta">{t(`imports.encoding.${encoding}`)}</span>
                </span>
              </label>
            ))}
          </span>
        )}
        <Button aria-busy={recheck.isBusy} onClick={() => confirmQuestion(question)}>
          {t(`imports.confirm.${question}`)}
        </Button>
      </span>
    </ImportWarning>
  ));
}
