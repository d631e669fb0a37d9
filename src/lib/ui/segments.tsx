import { useRef, type KeyboardEvent } from 'react';

interface SegmentsProps<V extends string> {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** Keys that change it, for those who hear the page. */
  keys?: string | undefined;
}

/** One of a few, all of them in sight: a radio group, arrow keys go from one to the next. */
export function Segments<V extends string>({ label, options, value, onChange, keys }: SegmentsProps<V>) {
  const group = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent<HTMLDivElement>) {
    const isRtl = getComputedStyle(event.currentTarget).direction === 'rtl';
    const steps: Record<string, number> = { ArrowRight: isRtl ? -1 : 1, ArrowLeft: isRtl ? 1 : -1, ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    if (step === undefined || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (options.findIndex((option) => option.value === value) + step + options.length) % options.length;
    const next = options[at];
    if (!next) return;
    onChange(next.value);
    group.current?.querySelectorAll<HTMLElement>('[role=radio]')[at]?.focus();
  }
  return (
    <div
      ref={group}
      role="radiogroup"
      aria-label={label}
      aria-keyshortcuts={keys}
      className="inline-flex h-control rounded-control border border-control bg-surface p-px"
      onKeyDown={onKeyDown}
    >
      {options.map((option) => {
        const isOn = option.value === value;
        return (
          <button
            key={option.value}
            type="button"
            role="radio"
            aria-checked={isOn}
            tabIndex={isOn ? 0 : -1}
            data-option={option.value}
            className={`min-w-6 rounded-chip px-2 text-body whitespace-nowrap ${isOn ? 'bg-layer-selected font-medium text-1' : 'text-2 hover:text-1'}`}
            onClick={() => onChange(option.value)}
          >
            {option.label}
          </button>
        );
      })}
    </div>
  );
}
