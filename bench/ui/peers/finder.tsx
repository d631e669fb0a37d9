import { Command } from 'cmdk';
import ArrowRight from 'lucide-react/icons/arrow-right';
import Search from 'lucide-react/icons/search';
import { useToggle } from './toggle.ts';

/** What is offered, under its first word. */
const groups = window.peerItems.reduce((all, item) => {
  const name = item.split(' ')[0] ?? '';
  return all.set(name, [...(all.get(name) ?? []), item]);
}, new Map<string, string[]>());

function Offered() {
  return (
    <Command.List className="max-h-75 scroll-py-1 overflow-x-hidden overflow-y-auto pe-1">
      <Command.Empty className="py-6 text-center text-sm">No results found.</Command.Empty>
      {[...groups].map(([name, items]) => (
        <Command.Group
          key={name}
          heading={name}
          className="overflow-hidden p-1 text-neutral-950 [&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:py-1.5 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-neutral-500"
        >
          {items.map((item) => (
            <Command.Item
              key={item}
              value={item}
              className="relative flex cursor-default items-center gap-2 rounded-sm px-2 py-1.5 text-sm outline-hidden select-none data-[selected=true]:bg-neutral-100"
            >
              <div className="flex size-4 items-center justify-center">
                <ArrowRight className="size-2 text-neutral-500" />
              </div>
              {item}
            </Command.Item>
          ))}
        </Command.Group>
      ))}
    </Command.List>
  );
}

/** cmdk in a dialog, over everything. */
export function Finder() {
  const [open, setOpen] = useToggle();
  return (
    <Command.Dialog
      open={open}
      onOpenChange={setOpen}
      label="Command palette"
      overlayClassName="fixed inset-0 z-50 bg-black/50"
      contentClassName="fixed top-1/2 left-1/2 z-50 grid w-full max-w-lg -translate-x-1/2 -translate-y-1/2 overflow-hidden rounded-lg border border-neutral-200 bg-white p-0 shadow-lg"
      className="flex h-full w-full flex-col overflow-hidden rounded-md bg-white"
      data-palette
    >
      <div className="flex h-12 items-center gap-2 border-b border-neutral-200 px-3">
        <Search className="size-4 shrink-0 opacity-50" />
        <Command.Input
          data-palette-input
          placeholder="Type a command or search..."
          className="flex h-10 w-full rounded-md bg-transparent py-3 text-sm outline-hidden"
        />
      </div>
      <Offered />
    </Command.Dialog>
  );
}
