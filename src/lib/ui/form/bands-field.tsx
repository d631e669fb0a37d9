import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { parseBandLines, findBandProblems, textOfLines, type BandLine, type BandProblem } from '../../authority/bands.ts';
import { btcText } from '../../authority/words.ts';
import { roleText } from '../../i18n/role-text.ts';
import { t } from '../../i18n/i18n.ts';
import { Button, IconButton } from '../button.tsx';
import { boxClass, lineClass } from './line-class.ts';
import { ListBox } from './list-box.tsx';
import type { ControlProps, PickOption } from './field-view.ts';
import { useOptions } from './use-options.tsx';

const maxBands = 20;
const emptyBand: BandLine = { from: '', below: '', approvals: '1', role: '', perDay: '', delay: '0' };
const secondsByUnit = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type DelayUnit = keyof typeof secondsByUnit;

interface BandsFieldProps extends ControlProps<string> {
  roles: (signal: AbortSignal) => Promise<readonly string[]>;
}

/** One row for each band. Gaps and overlaps are shown where they are, with a button that closes them. */
export function BandsField({ roles: loadRoles, ...field }: BandsFieldProps) {
  const lines = parseBandLines(field.value);
  const problems = findBandProblems(lines);
  const { options: roles } = useOptions(loadRoles);
  const { onChange } = field;
  const writeLines = (nextLines: readonly BandLine[]) => onChange(textOfLines(nextLines));
  const changeLine = (lineIndex: number, lineChange: Partial<BandLine>) =>
    writeLines(lines.map((line, index) => (index === lineIndex ? { ...line, ...lineChange } : line)));
  const [addedIndex, setAddedIndex] = useState<number | null>(null);
  useEffect(() => {
    if (addedIndex !== null) document.getElementById(`${field.id}-${addedIndex}-from`)?.focus();
  }, [addedIndex, field.id]);
  const addLine = () => {
    setAddedIndex(lines.length);
    writeLines([...lines, { ...emptyBand, from: lines.length === 0 ? '0' : (lines.at(-1)?.below ?? '') }]);
  };
  // The pressed buttons disappear, so the focus moves on.
  const closeGap = (lineIndex: number) => {
    changeLine(lineIndex + 1, { from: lines[lineIndex]?.below ?? '' });
    document.getElementById(`${field.id}-${lineIndex + 1}-from`)?.focus();
  };
  const removeLine = (lineIndex: number) => {
    writeLines(lines.filter((_, index) => index !== lineIndex));
    document.getElementById(field.id)?.focus();
  };
  const lastLine = lines.at(-1);
  return (
    <div
      id={field.id}
      role="group"
      tabIndex={-1}
      aria-labelledby={field.labelledBy}
      aria-describedby={field.describedBy}
      data-bands
      className="@container flex flex-col gap-2 rounded-control outline-none"
    >
      {lines.map((line, lineIndex) => (
        <div key={lineIndex} className="flex flex-col gap-1.5">
          <fieldset
            data-band={lineIndex}
            className="grid grid-cols-[1fr_1fr_2rem] items-end gap-x-2 gap-y-1.5 rounded-control border border-hairline bg-layer p-2 @lg:grid-cols-[1fr_1fr_4rem_1fr_2rem]"
          >
            <legend className="sr-only">{t('form.bands.row', { n: lineIndex + 1 })}</legend>
            <BandCell
              id={`${field.id}-${lineIndex}-from`}
              name="from"
              line={line}
              problems={problems[lineIndex]}
              onChange={(change) => changeLine(lineIndex, change)}
            />
            <BandCell
              id={`${field.id}-${lineIndex}-below`}
              name="below"
              line={line}
              problems={problems[lineIndex]}
              placeholder={t('form.bands.noEnd')}
              onChange={(change) => changeLine(lineIndex, change)}
            />
            <BandCell
              id={`${field.id}-${lineIndex}-approvals`}
              name="approvals"
              line={line}
              problems={problems[lineIndex]}
              onChange={(change) => changeLine(lineIndex, change)}
            />
            <RoleSelect
              id={`${field.id}-${lineIndex}-role`}
              value={line.role}
              roles={roles ?? []}
              onChange={(role) => changeLine(lineIndex, { role })}
            />
            <IconButton
              label={t('form.bands.remove', { n: lineIndex + 1 })}
              icon={<Trash2 size={14} aria-hidden="true" />}
              onClick={() => removeLine(lineIndex)}
              className="justify-self-end @max-lg:col-start-3 @max-lg:row-start-1"
            />
            <BandCell
              id={`${field.id}-${lineIndex}-perDay`}
              name="perDay"
              line={line}
              problems={problems[lineIndex]}
              placeholder={t('form.bands.noLimit')}
              onChange={(change) => changeLine(lineIndex, change)}
            />
            <DelayInput
              id={`${field.id}-${lineIndex}-delay`}
              value={line.delay}
              isWrong={hasProblem(problems[lineIndex], 'delay')}
              onChange={(delay) => changeLine(lineIndex, { delay })}
            />
          </fieldset>
          {(problems[lineIndex] ?? []).map((problem) => (
            <BandProblemMessage key={JSON.stringify(problem)} of={problem} closeGap={() => closeGap(lineIndex)} />
          ))}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button onClick={addLine} aria-disabled={lines.length >= maxBands} disabled={lines.length >= maxBands}>
          <Plus size={14} aria-hidden="true" />
          {t('form.bands.add')}
        </Button>
        <p className="text-meta text-2">
          {lines.length === 0
            ? t('form.bands.none')
            : lastLine && lastLine.below !== ''
              ? t('form.bands.upTo', { below: lastLine.below })
              : t('form.bands.units')}
        </p>
      </div>
    </div>
  );
}

const hasProblem = (problems: readonly BandProblem[] | undefined, name: keyof BandLine): boolean =>
  (problems ?? []).some((problem) => 'at' in problem && problem.at === name);

interface CellProps {
  id: string;
  name: 'from' | 'below' | 'approvals' | 'perDay';
  line: BandLine;
  problems: readonly BandProblem[] | undefined;
  placeholder?: string;
  onChange: (lineChange: Partial<BandLine>) => void;
}

function BandCell({ id, name, line, problems, placeholder, onChange }: CellProps) {
  return (
    <LabelledCell id={id} label={t(`form.bands.${name}`)}>
      <input
        id={id}
        type="text"
        inputMode={name === 'approvals' ? 'numeric' : 'decimal'}
        autoComplete="off"
        dir="ltr"
        placeholder={placeholder}
        aria-invalid={hasProblem(problems, name) || undefined}
        className={`${lineClass} text-end tabular-nums`}
        value={line[name]}
        onChange={({ target }) => onChange({ [name]: target.value.trim() })}
      />
    </LabelledCell>
  );
}

const LabelledCell = ({
  id,
  label,
  span = '',
  children,
}: {
  id: string;
  label: string;
  span?: 'col-span-2' | '@max-lg:col-span-2' | '';
  children: ReactNode;
}) => (
  <div className={`flex min-w-0 flex-col gap-0.5 ${span}`}>
    <label id={`${id}-label`} htmlFor={id} className="text-meta text-2">
      {label}
    </label>
    {children}
  </div>
);

interface RoleProps {
  id: string;
  value: string;
  roles: readonly string[];
  onChange: (role: string) => void;
}

function RoleSelect({ id, value, roles, onChange }: RoleProps) {
  const options: PickOption[] = [
    { value: '', label: t('form.bands.anyRole') },
    ...[...new Set([...roles, ...(value === '' ? [] : [value])])].map((role) => ({ value: role, label: roleText(role) })),
  ];
  return (
    <LabelledCell id={id} label={t('form.bands.role')} span="@max-lg:col-span-2">
      <ListBox {...cellAttributes(id)} value={value} onChange={onChange} options={options} />
    </LabelledCell>
  );
}

const cellAttributes = (id: string) => ({
  id,
  required: false,
  invalid: false,
  describedBy: undefined,
  labelledBy: `${id}-label`,
  autoFocus: false,
});

interface DelayProps {
  id: string;
  value: string;
  isWrong: boolean;
  onChange: (seconds: string) => void;
}

/** Seconds, in the largest whole unit unless another was chosen. */
function DelayInput({ id, value, isWrong: isInvalid, onChange }: DelayProps) {
  const inputId = useId();
  const [chosenUnit, setChosenUnit] = useState<DelayUnit | null>(null);
  const isInteger = /^\d{1,6}$/.test(value);
  const seconds = isInteger ? Number.parseInt(value, 10) : 0;
  const largestFittingUnit =
    (Object.keys(secondsByUnit) as DelayUnit[]).findLast((unit) => seconds > 0 && seconds % secondsByUnit[unit] === 0) ??
    'minutes';
  const unit = chosenUnit !== null && seconds % secondsByUnit[chosenUnit] === 0 ? chosenUnit : largestFittingUnit;
  const shownAmount = isInteger ? String(seconds / secondsByUnit[unit]) : value;
  const toSecondsText = (text: string, delayUnit: DelayUnit) =>
    /^\d{1,6}$/.test(text) ? String(Number.parseInt(text, 10) * secondsByUnit[delayUnit]) : text;
  return (
    <LabelledCell id={id} label={t('form.bands.delay')} span="col-span-2">
      <div className="flex gap-1">
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          aria-invalid={isInvalid || undefined}
          className={`${boxClass} h-control w-12! shrink-0 text-end tabular-nums`}
          value={shownAmount}
          onChange={({ target }) => onChange(toSecondsText(target.value.trim(), unit))}
        />
        <span id={`${inputId}-unit-label`} className="sr-only">
          {t('form.bands.unit')}
        </span>
        <div className="min-w-0 flex-1">
          <ListBox
            {...cellAttributes(`${inputId}-unit`)}
            value={unit}
            onChange={(nextUnit) => {
              setChosenUnit(nextUnit as DelayUnit);
              onChange(toSecondsText(shownAmount, nextUnit as DelayUnit));
            }}
            options={(Object.keys(secondsByUnit) as DelayUnit[]).map((unitName) => ({
              value: unitName,
              label: t(`form.bands.in.${unitName}`),
            }))}
          />
        </div>
      </div>
    </LabelledCell>
  );
}

function BandProblemMessage({ of, closeGap }: { of: BandProblem; closeGap: () => void }) {
  const isGapOrOverlap = !('at' in of);
  return (
    <div role="alert" data-band-problem className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-danger-text">
      <CircleAlert size={14} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0">{problemText(of)}</span>
      {isGapOrOverlap && !('overlap' in of && of.overlap.below === null) && (
        <Button onClick={closeGap}>{t('form.bands.close')}</Button>
      )}
    </div>
  );
}

function problemText(problem: BandProblem): string {
  if ('at' in problem) return t(`form.bands.wrong.${problem.at}`);
  if ('gap' in problem) return t('form.bands.gap', { from: btcText(problem.gap.from), below: btcText(problem.gap.below) });
  const { from, below } = problem.overlap;
  return below === null
    ? t('form.bands.endless', { from: btcText(from) })
    : t('form.bands.overlap', { from: btcText(from), below: btcText(below) });
}
