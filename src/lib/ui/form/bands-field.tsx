import CircleAlert from 'lucide-react/icons/circle-exclamation-point';
import Plus from 'lucide-react/icons/plus';
import Trash2 from 'lucide-react/icons/trash-2';
import { useEffect, useId, useState, type ReactNode } from 'react';
import { bandLinesOf, problemsOf, textOfLines, type BandLine, type BandProblem } from '../../authority/bands.ts';
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
const units = { seconds: 1, minutes: 60, hours: 3600, days: 86_400 } as const;
type Unit = keyof typeof units;

interface BandsFieldProps extends ControlProps<string> {
  roles: (signal: AbortSignal) => Promise<readonly string[]>;
}

/** One row for each band. Gaps and overlaps are shown where they are, with a button that closes them. */
export function BandsField({ roles: load, ...field }: BandsFieldProps) {
  const lines = bandLinesOf(field.value);
  const problems = problemsOf(lines);
  const { options: roles } = useOptions(load);
  const { onChange } = field;
  const write = (next: readonly BandLine[]) => onChange(textOfLines(next));
  const change = (at: number, part: Partial<BandLine>) =>
    write(lines.map((line, index) => (index === at ? { ...line, ...part } : line)));
  const [added, setAdded] = useState<number | null>(null);
  useEffect(() => {
    if (added !== null) document.getElementById(`${field.id}-${added}-from`)?.focus();
  }, [added, field.id]);
  const add = () => {
    setAdded(lines.length);
    write([...lines, { ...emptyBand, from: lines.length === 0 ? '0' : (lines.at(-1)?.below ?? '') }]);
  };
  // The pressed buttons disappear, so the focus moves on.
  const closeGap = (at: number) => {
    change(at + 1, { from: lines[at]?.below ?? '' });
    document.getElementById(`${field.id}-${at + 1}-from`)?.focus();
  };
  const remove = (at: number) => {
    write(lines.filter((_, index) => index !== at));
    document.getElementById(field.id)?.focus();
  };
  const end = lines.at(-1);
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
      {lines.map((line, at) => (
        <div key={at} className="flex flex-col gap-1.5">
          <fieldset
            data-band={at}
            className="grid grid-cols-2 items-end gap-x-2 gap-y-1.5 rounded-control border border-hairline bg-layer p-2 @lg:grid-cols-[1fr_1fr_4rem_1fr_2rem]"
          >
            <legend className="sr-only">{t('form.bands.row', { n: at + 1 })}</legend>
            <Cell
              id={`${field.id}-${at}-from`}
              name="from"
              line={line}
              problems={problems[at]}
              onChange={(part) => change(at, part)}
            />
            <Cell
              id={`${field.id}-${at}-below`}
              name="below"
              line={line}
              problems={problems[at]}
              placeholder={t('form.bands.noEnd')}
              onChange={(part) => change(at, part)}
            />
            <Cell
              id={`${field.id}-${at}-approvals`}
              name="approvals"
              line={line}
              problems={problems[at]}
              onChange={(part) => change(at, part)}
            />
            <Role id={`${field.id}-${at}-role`} value={line.role} roles={roles ?? []} onChange={(role) => change(at, { role })} />
            <IconButton
              label={t('form.bands.remove', { n: at + 1 })}
              icon={<Trash2 size={14} aria-hidden="true" />}
              onClick={() => remove(at)}
              className="justify-self-end"
            />
            <Cell
              id={`${field.id}-${at}-perDay`}
              name="perDay"
              line={line}
              problems={problems[at]}
              placeholder={t('form.bands.noLimit')}
              onChange={(part) => change(at, part)}
            />
            <Delay
              id={`${field.id}-${at}-delay`}
              value={line.delay}
              isWrong={isWrong(problems[at], 'delay')}
              onChange={(delay) => change(at, { delay })}
            />
          </fieldset>
          {(problems[at] ?? []).map((problem) => (
            <Problem key={JSON.stringify(problem)} of={problem} closeGap={() => closeGap(at)} />
          ))}
        </div>
      ))}
      <div className="flex flex-wrap items-center gap-x-3 gap-y-1">
        <Button onClick={add} aria-disabled={lines.length >= maxBands} disabled={lines.length >= maxBands}>
          <Plus size={14} aria-hidden="true" />
          {t('form.bands.add')}
        </Button>
        <p className="text-meta text-2">
          {lines.length === 0
            ? t('form.bands.none')
            : end && end.below !== ''
              ? t('form.bands.upTo', { below: end.below })
              : t('form.bands.units')}
        </p>
      </div>
    </div>
  );
}

const isWrong = (problems: readonly BandProblem[] | undefined, name: keyof BandLine): boolean =>
  (problems ?? []).some((problem) => 'at' in problem && problem.at === name);

interface CellProps {
  id: string;
  name: 'from' | 'below' | 'approvals' | 'perDay';
  line: BandLine;
  problems: readonly BandProblem[] | undefined;
  placeholder?: string;
  onChange: (part: Partial<BandLine>) => void;
}

function Cell({ id, name, line, problems, placeholder, onChange }: CellProps) {
  return (
    <Labelled id={id} label={t(`form.bands.${name}`)}>
      <input
        id={id}
        type="text"
        inputMode={name === 'approvals' ? 'numeric' : 'decimal'}
        autoComplete="off"
        dir="ltr"
        placeholder={placeholder}
        aria-invalid={isWrong(problems, name) || undefined}
        className={`${lineClass} text-end tabular-nums`}
        value={line[name]}
        onChange={({ target }) => onChange({ [name]: target.value.trim() })}
      />
    </Labelled>
  );
}

const Labelled = ({ id, label, wide = false, children }: { id: string; label: string; wide?: boolean; children: ReactNode }) => (
  <div className={`flex min-w-0 flex-col gap-0.5 ${wide ? '@lg:col-span-2' : ''}`}>
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

function Role({ id, value, roles, onChange }: RoleProps) {
  const options: PickOption[] = [
    { value: '', label: t('form.bands.anyRole') },
    ...[...new Set([...roles, ...(value === '' ? [] : [value])])].map((role) => ({ value: role, label: roleText(role) })),
  ];
  return (
    <Labelled id={id} label={t('form.bands.role')}>
      <ListBox {...cellAttributes(id)} value={value} onChange={onChange} options={options} />
    </Labelled>
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
function Delay({ id, value, isWrong: invalid, onChange }: DelayProps) {
  const own = useId();
  const [chosen, setChosen] = useState<Unit | null>(null);
  const isWhole = /^\d{1,6}$/.test(value);
  const seconds = isWhole ? Number.parseInt(value, 10) : 0;
  const fitting = (Object.keys(units) as Unit[]).findLast((unit) => seconds > 0 && seconds % units[unit] === 0) ?? 'minutes';
  const unit = chosen !== null && seconds % units[chosen] === 0 ? chosen : fitting;
  const shown = isWhole ? String(seconds / units[unit]) : value;
  const typed = (text: string, of: Unit) => (/^\d{1,6}$/.test(text) ? String(Number.parseInt(text, 10) * units[of]) : text);
  return (
    <Labelled id={id} label={t('form.bands.delay')} wide>
      <div className="flex gap-1">
        <input
          id={id}
          type="text"
          inputMode="numeric"
          autoComplete="off"
          dir="ltr"
          aria-invalid={invalid || undefined}
          className={`${boxClass} h-control w-12! shrink-0 text-end tabular-nums`}
          value={shown}
          onChange={({ target }) => onChange(typed(target.value.trim(), unit))}
        />
        <span id={`${own}-unit-label`} className="sr-only">
          {t('form.bands.unit')}
        </span>
        <div className="min-w-0 flex-1">
          <ListBox
            {...cellAttributes(`${own}-unit`)}
            value={unit}
            onChange={(next) => {
              setChosen(next as Unit);
              onChange(typed(shown, next as Unit));
            }}
            options={(Object.keys(units) as Unit[]).map((one) => ({ value: one, label: t(`form.bands.in.${one}`) }))}
          />
        </div>
      </div>
    </Labelled>
  );
}

function Problem({ of, closeGap }: { of: BandProblem; closeGap: () => void }) {
  const isBetween = !('at' in of);
  return (
    <div role="alert" data-band-problem className="flex flex-wrap items-center gap-x-2 gap-y-1 text-meta text-danger-text">
      <CircleAlert size={14} aria-hidden="true" className="shrink-0" />
      <span className="min-w-0">{problemText(of)}</span>
      {isBetween && !('overlap' in of && of.overlap.below === null) && (
        <Button onClick={closeGap}>{t('form.bands.close')}</Button>
      )}
    </div>
  );
}

function problemText(of: BandProblem): string {
  if ('at' in of) return t(`form.bands.wrong.${of.at}`);
  if ('gap' in of) return t('form.bands.gap', { from: btcText(of.gap.from), below: btcText(of.gap.below) });
  const { from, below } = of.overlap;
  return below === null
    ? t('form.bands.endless', { from: btcText(from) })
    : t('form.bands.overlap', { from: btcText(from), below: btcText(below) });
}
