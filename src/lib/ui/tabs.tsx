import { useRef, type KeyboardEvent } from 'react';

interface TabsProps<V extends string> {
  label: string;
  tabs: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
  /** Keys that go to the other one. */
  keys?: string | undefined;
  /** Id of what they switch. */
  controls: string;
}

/** Views of one screen. Arrow keys go from one to the next, as a tab list does. */
export function Tabs<V extends string>({ label, tabs, value, onChange, keys, controls }: TabsProps<V>) {
  const list = useRef<HTMLDivElement>(null);
  function onKeyDown(event: KeyboardEvent) {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0;
    if (step === 0) return;
    event.preventDefault();
    event.stopPropagation();
    const at = (tabs.findIndex((tab) => tab.value === value) + step + tabs.length) % tabs.length;
    const next = tabs[at];
    if (!next) return;
    onChange(next.value);
    list.current?.querySelectorAll<HTMLElement>('[role=tab]')[at]?.focus();
  }
  return (
    <div ref={list} role="tablist" aria-label={label} aria-keyshortcuts={keys} className="flex gap-1 px-4" onKeyDown={onKeyDown}>
      {tabs.map((tab) => {
        const isOn = tab.value === value;
        return (
          <button
            key={tab.value}
            type="button"
            role="tab"
            aria-selected={isOn}
            aria-controls={controls}
            tabIndex={isOn ? 0 : -1}
            className={`h-control border-b-2 px-2 text-body ${isOn ? 'border-accent font-medium text-1' : 'border-transparent text-2 hover:text-1'}`}
            onClick={() => onChange(tab.value)}
          >
            {tab.label}
          </button>
        );
      })}
    </div>
  );
}
