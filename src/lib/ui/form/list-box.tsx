import { Listbox, ListboxButton, ListboxOption, ListboxOptions } from '@headlessui/react';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { useRef } from 'react';
import { t } from '../../i18n/i18n.ts';
import { positionBeside } from '../overlay/floating.ts';
import { openByClick, pressKey } from '../overlay/press-key.ts';
import { lineClass } from './line-class.ts';
import type { ControlProps, PickOption } from './field-view.ts';
import { DescribedBox, DescribedList } from './field-attributes.tsx';

export interface ListBoxProps extends ControlProps<string> {
  options: readonly PickOption[];
}

export function ListBox({ options, value, onChange, ...field }: ListBoxProps) {
  const button = useRef<HTMLButtonElement>(null);
  const selectedOption = options.find((option) => option.value === value);
  return (
    <Listbox value={value} onChange={onChange}>
      <ListboxButton
        as={DescribedBox}
        ref={button}
        id={field.id}
        field={field}
        className={`${lineClass} flex items-center gap-2 text-start`}
        onClick={(event) => openByClick(event, button.current)}
        onKeyDown={(event) => {
          if (event.key !== 'Enter') return;
          event.preventDefault(); // Headless UI would submit the form
          if (!event.repeat && !event.ctrlKey && !event.metaKey) pressKey(event.currentTarget, 'ArrowDown');
        }}
      >
        <span className={`min-w-0 flex-1 truncate ${selectedOption ? '' : 'text-2'}`}>
          {selectedOption
            ? [...new Set([selectedOption.label, selectedOption.note, selectedOption.blocked])].filter(Boolean).join(' · ')
            : t('form.choose')}
        </span>
        <ChevronDown size={14} aria-hidden="true" className="shrink-0 text-2" />
      </ListboxButton>
      <ListboxOptions
        as={DescribedList}
        ref={(list: HTMLElement | null) => {
          if (!list || !button.current) return;
          list.style.width = `${button.current.offsetWidth}px`;
          list.showPopover();
          positionBeside(list, button.current, 'start');
        }}
        field={field}
        modal={false}
        popover="manual"
        className="fixed inset-auto m-0 max-h-72 overflow-y-auto rounded-card bg-overlay p-1 text-1 shadow-menu"
      >
        {options.map((option) => (
          <ListboxOption
            key={option.value}
            value={option.value}
            disabled={option.blocked !== undefined}
            className={`ring-active flex min-h-7 items-start gap-2 rounded-chip px-2 py-1 text-body data-focus:bg-layer-hover pointer-coarse:min-h-11 ${option.blocked === undefined ? '' : 'text-2'}`}
          >
            <Check size={14} aria-hidden="true" className={`mt-0.5 shrink-0 ${option === selectedOption ? '' : 'invisible'}`} />
            <span className="flex min-w-0 flex-1 flex-wrap items-baseline justify-between gap-x-2">
              <span className="min-w-0 break-words">
                {option.label}
                {option.blocked !== undefined && option.blocked !== option.label && (
                  <span className="block text-meta text-2">{option.blocked}</span>
                )}
              </span>
              {option.note !== undefined && <span className="min-w-0 text-meta break-words text-2">{option.note}</span>}
            </span>
          </ListboxOption>
        ))}
      </ListboxOptions>
    </Listbox>
  );
}
