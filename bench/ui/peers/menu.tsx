import * as Dropdown from '@radix-ui/react-dropdown-menu';
import type { LucideIcon } from 'lucide-react';
import type { ReactNode } from 'react';

const itemClass = 'flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-hidden select-none';

/** A button with a menu under it. */
export function Menu(props: { label: string; icon: LucideIcon; items: readonly string[]; children?: ReactNode }) {
  const { label, icon: Icon, items, children } = props;
  return (
    <Dropdown.Root modal={false}>
      <Dropdown.Trigger asChild>
        <button
          type="button"
          aria-label={label}
          className="flex h-8 items-center gap-2 rounded-md p-2 hover:bg-neutral-100 data-[state=open]:bg-neutral-100"
        >
          {children}
          <Icon className="size-4" />
        </button>
      </Dropdown.Trigger>
      <Dropdown.Portal>
        <Dropdown.Content align="end" className="z-50 min-w-32 rounded-md border border-neutral-200 bg-white p-1 shadow-md">
          {items.map((item) => (
            <Dropdown.Item key={item} className={itemClass}>
              {item}
            </Dropdown.Item>
          ))}
        </Dropdown.Content>
      </Dropdown.Portal>
    </Dropdown.Root>
  );
}
