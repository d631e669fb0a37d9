import { t } from '../../i18n/i18n.ts';
import { Skeleton } from '../skeleton.tsx';
import { lineClass, tied } from './controls.tsx';
import { useOptions } from './use-options.tsx';
import type { ControlProps, PickOption } from './field-view.ts';

interface PickFieldProps extends ControlProps<string> {
  options: (signal: AbortSignal) => Promise<readonly PickOption[]>;
}

/** One of what the server has, in a list to open. */
export function PickField({ options: load, ...props }: PickFieldProps) {
  const { options, failure } = useOptions(load, props);
  if (failure) return failure;
  if (options === null) return <Skeleton />;
  return (
    <select {...tied(props)} className={lineClass} value={props.value} onChange={({ target }) => props.onChange(target.value)}>
      {!options.some(({ value }) => value === props.value) && <option value="">{t('form.choose')}</option>}
      {options.map(({ value, label, note, blocked }) => (
        <option key={value} value={value} disabled={blocked !== undefined}>
          {[label, note, blocked].filter(Boolean).join(' · ')}
        </option>
      ))}
    </select>
  );
}
