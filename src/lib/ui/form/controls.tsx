import { Switch } from '@headlessui/react';
import Eye from 'lucide-react/icons/eye';
import EyeOff from 'lucide-react/icons/eye-off';
import { useEffect, useState } from 'react';
import { flushSync } from 'react-dom';
import { parseInteger } from '../../../../api/integers.ts';
import { groupDigits } from '../../format.ts';
import { t, type TextKey } from '../../i18n/i18n.ts';
import { IconButton } from '../button.tsx';
import { lazyComponent } from '../lazy-component.tsx';
import type { ControlProps } from './field-view.ts';
import { boxClass, lineClass } from './line-class.ts';
import { fieldAttributes, DescribedSwitch } from './field-attributes.tsx';

export function TextField(props: ControlProps<string>) {
  return (
    <input
      {...fieldAttributes(props)}
      type="text"
      autoComplete="off"
      className={lineClass}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}

/** From a thousand on it is repeated in groups, to reveal an extra digit. */
export function NumberField({ signed = false, ...props }: ControlProps<string> & { signed?: boolean | undefined }) {
  const integerText = parseInteger(props.value);
  const needsGrouping = integerText !== null && /\d{4}/.test(integerText);
  return (
    <div className="relative">
      <input
        {...fieldAttributes(props)}
        type="text"
        inputMode={signed ? 'text' : 'numeric'} // a phone's numeric keyboard may lack the minus
        autoComplete="off"
        className={`${lineClass} tabular-nums`}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value)}
      />
      {needsGrouping && (
        <output
          htmlFor={props.id}
          className="pointer-events-none absolute inset-y-0 end-2 flex items-center text-meta text-2 tabular-nums"
        >
          {groupDigits(BigInt(integerText))}
        </output>
      )}
    </div>
  );
}

/** Enter is a line break, Ctrl or ⌘ with Enter submits. */
export function MultilineField(props: ControlProps<string>) {
  return (
    <textarea
      {...fieldAttributes(props)}
      rows={5}
      autoComplete="off"
      className={`${boxClass} min-h-20 py-1 field-sizing-content max-h-72`}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
    />
  );
}

export function toCompleteUrl(enteredText: string): string {
  const url = enteredText.trim();
  return /^[\w-]+(\.[\w-]+)+(:\d+)?([/?#]|$)/.test(url) ? `https://${url}` : url;
}

/** Completes an address on blur and before Enter submits it. */
export const completeUrlProps = (value: string, onChange: (value: string) => void) => {
  const completeUrl = () => {
    const completedUrl = toCompleteUrl(value);
    if (completedUrl !== value) onChange(completedUrl);
  };
  return {
    onBlur: completeUrl,
    // On capture, before the form handles Enter or Ctrl Enter.
    onKeyDownCapture: ({ key }: { key: string }) => {
      if (key === 'Enter') flushSync(completeUrl);
    },
  };
};

/** Validation is the schema's. */
export function UrlField(props: ControlProps<string>) {
  return (
    <input
      {...fieldAttributes(props)}
      type="text"
      inputMode="url"
      autoComplete="off"
      spellCheck={false}
      placeholder="https://"
      dir="ltr"
      className={lineClass}
      value={props.value}
      onChange={({ target }) => props.onChange(target.value)}
      {...completeUrlProps(props.value, props.onChange)}
    />
  );
}

/** Never saved in a draft. */
export function SecretField({ fills, ...props }: ControlProps<string> & { fills: 'current-password' | 'new-password' }) {
  const [isShown, setIsShown] = useState(false);
  return (
    <div className="relative">
      <input
        {...fieldAttributes(props)}
        type={isShown ? 'text' : 'password'}
        autoComplete={fills}
        spellCheck={false}
        className={`${lineClass} pe-9`}
        value={props.value}
        onChange={({ target }) => props.onChange(target.value)}
      />
      <IconButton
        label={t(isShown ? 'form.hide' : 'form.show')}
        aria-pressed={isShown}
        icon={isShown ? <EyeOff size={14} aria-hidden="true" /> : <Eye size={14} aria-hidden="true" />}
        className="absolute inset-y-0 end-0.5 my-auto h-6! w-7!"
        onClick={() => setIsShown(!isShown)}
      />
    </div>
  );
}

interface ChoiceFieldProps extends ControlProps<string> {
  options: readonly { value: string; label: TextKey }[];
}

const maxSegments = 4;
const ListBox = lazyComponent(() => import('./list-box.tsx').then((module) => module.ListBox));

/** A segmented control for up to four options, else a list. */
export function ChoiceField({ options, ...props }: ChoiceFieldProps) {
  const { id, value, onChange, labelledBy } = props;
  const lastOption = options.at(-1);
  const isUnavailable = value !== '' && lastOption !== undefined && !options.some((option) => option.value === value);
  // Another field's change may remove the chosen option.
  useEffect(() => {
    if (isUnavailable) onChange(lastOption.value);
  }, [isUnavailable, lastOption, onChange]);
  if (options.length > maxSegments) {
    return <ListBox {...props} options={options.map((option) => ({ value: option.value, label: t(option.label) }))} />;
  }
  const selectedIndex = Math.max(
    0,
    options.findIndex((option) => option.value === value),
  );
  return (
    <div role="radiogroup" aria-labelledby={labelledBy} aria-describedby={props.describedBy} className="flex flex-wrap gap-x-4">
      {options.map((option, index) => (
        <label key={option.value} className="inline-flex min-h-control items-center gap-2 text-body">
          <input
            {...(index === selectedIndex ? { id, 'data-autofocus': props.autoFocus || undefined } : {})}
            type="radio"
            name={id}
            className="size-3.5 accent-accent"
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
          />
          {t(option.label)}
        </label>
      ))}
    </div>
  );
}

export function FlagField({ says, value, onChange, ...field }: ControlProps<boolean> & { says: TextKey }) {
  return (
    <span className="inline-flex min-h-control items-center gap-2 text-body">
      <Switch
        as={DescribedSwitch}
        id={field.id}
        field={field}
        checked={value}
        onChange={onChange}
        // Headless UI submits the form when Enter is released, even if that press opened the form.
        onKeyUp={(event) => event.key === 'Enter' && event.preventDefault()}
        className="group inline-flex h-6 w-10 shrink-0 items-center rounded-full border border-control bg-surface px-px text-2 data-checked:border-accent data-checked:bg-accent data-checked:text-on-accent"
      >
        <span aria-hidden="true" className="size-4.5 rounded-full border-9 border-current group-data-checked:ms-auto" />
      </Switch>
      {/* The switch has its name from the field's label. */}
      <label htmlFor={field.id} aria-hidden="true">
        {t(says)}
      </label>
    </span>
  );
}
