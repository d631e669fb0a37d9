// A back-office as shadcn-admin makes it, for bench/ui.ts to compare with: cmdk in its styled dialog over a sidebar and a table
// of all rows in memory, of which a page of 10 is drawn. What would only cost it more is left out: the dialog's animation, the
// table's library, the router.
import { Command } from 'cmdk';
import { ArrowDown, ArrowRight, ArrowUp, Circle, CircleCheck, Ellipsis, Search, Timer } from 'lucide-react';
import { useState } from 'react';
import { createRoot } from 'react-dom/client';
import { useToggle } from './toggle.ts';
import './styled.css';

interface Task {
  id: string;
  title: string;
  label: string;
  status: string;
  priority: string;
}

const labels = ['bug', 'feature', 'documentation'];
const statuses = { backlog: Circle, 'in progress': Timer, done: CircleCheck };
const priorities = { low: ArrowDown, medium: ArrowRight, high: ArrowUp };
const pick = (from: readonly string[], at: number): string => from[at % from.length] ?? '';

const tasks = Array.from({ length: window.peerRows }, (_, at): Task => ({
  id: `TASK-${at}`,
  title: `What is to be done, and why it matters: number ${at}`,
  label: pick(labels, at),
  status: pick(Object.keys(statuses), at),
  priority: pick(Object.keys(priorities), at * 7),
}));

function Worded({ icons, word }: { icons: Readonly<Record<string, typeof Circle>>; word: string }) {
  const Icon = icons[word] ?? Circle;
  return (
    <div className="flex w-25 items-center gap-2">
      <Icon className="size-4 text-neutral-500" />
      <span className="capitalize">{word}</span>
    </div>
  );
}

function Tasks() {
  return (
    <div className="overflow-hidden rounded-md border border-neutral-200">
      <table className="w-full caption-bottom text-sm">
        <thead>
          <tr className="border-b border-neutral-200">
            {['', 'Task', 'Title', 'Status', 'Priority', ' '].map((name) => (
              <th key={name} className="h-10 px-2 text-left align-middle font-medium whitespace-nowrap">
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {tasks.slice(0, 10).map((task) => (
            <Row key={task.id} {...task} />
          ))}
        </tbody>
      </table>
    </div>
  );
}

const cell = 'p-2 align-middle whitespace-nowrap';

function Row({ id, title, label, status, priority }: Task) {
  return (
    <tr className="border-b border-neutral-200 transition-colors hover:bg-neutral-100/50">
      <td className={cell}>
        <input type="checkbox" aria-label="Select row" />
      </td>
      <td className={cell}>{id}</td>
      <td className={cell}>
        <div className="flex gap-2">
          <span className="rounded-md border border-neutral-200 px-2 py-0.5 text-xs font-medium">{label}</span>
          <span className="max-w-125 truncate font-medium">{title}</span>
        </div>
      </td>
      <td className={cell}>
        <Worded icons={statuses} word={status} />
      </td>
      <td className={cell}>
        <Worded icons={priorities} word={priority} />
      </td>
      <td className={cell}>
        <button type="button" aria-label="Open menu" className="flex size-8 rounded-md p-0 hover:bg-neutral-100">
          <Ellipsis className="size-4" />
        </button>
      </td>
    </tr>
  );
}

/** What is offered, under its first word. */
const groups = window.peerItems.reduce((all, item) => {
  const name = item.split(' ')[0] ?? '';
  return all.set(name, [...(all.get(name) ?? []), item]);
}, new Map<string, string[]>());

function Finder() {
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

function Styled() {
  const [open, setOpen] = useToggle();
  const [place, setPlace] = useState('Tasks');
  return (
    <div className="flex h-screen text-sm text-neutral-950">
      <nav className="w-64 border-e border-neutral-200 p-2">
        {['Home', 'Tasks', 'Users', 'Settings'].map((name) => (
          <button
            key={name}
            type="button"
            onClick={() => setPlace(name)}
            className={`flex h-8 w-full items-center gap-2 rounded-md p-2 hover:bg-neutral-100 ${name === place ? 'bg-neutral-100 font-medium' : ''}`}
          >
            <Circle className="size-4" />
            {name}
          </button>
        ))}
      </nav>
      <main className="grow overflow-auto px-4 py-6">
        <h2 className="mb-4 text-2xl font-bold tracking-tight">{place}</h2>
        {place === 'Tasks' && <Tasks />}
      </main>
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
        <Finder />
      </Command.Dialog>
    </div>
  );
}

const root = document.createElement('div');
document.body.append(root);
createRoot(root).render(<Styled />);
