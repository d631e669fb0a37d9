import { Radio, RadioGroup } from '@headlessui/react';
import { mirrorArrowKeys } from './arrow-keys.ts';

interface SegmentsProps<V extends string> {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** For screen readers. */
  keys?: string | undefined;
}

export function Segments<V extends string>({ label, options, value, onChange, keys }: SegmentsProps<V>) {
  return (
    <RadioGroup
      value={value}
      onChange={onChange}
      aria-label={label}
      aria-keyshortcuts={keys}
      className="inline-flex h-control rounded-control border border-control bg-surface p-px"
      onKeyDownCapture={mirrorArrowKeys}
    >
      {options.map((option) => (
        <Radio
          key={option.value}
          as="button"
          type="button"
          value={option.value}
          data-option={option.value}
          className={`min-w-6 rounded-chip px-2 text-body whitespace-nowrap ${option.value === value ? 'bg-layer-selected font-medium text-1' : 'text-2 hover:text-1'}`}
        >
          {option.label}
        </Radio>
      ))}
    </RadioGroup>
  );
}
