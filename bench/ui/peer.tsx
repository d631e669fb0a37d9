// A plain cmdk palette over a list, without requests, rights or languages.
import { Checkbox, Menu, MenuButton, MenuItem, MenuItems } from '@headlessui/react';
import { rowSelectionFeature, tableFeatures, useTable, type ColumnDef } from '@tanstack/react-table';
import { Command } from 'cmdk';
import { Check, ChevronDown } from 'lucide-react';
import { useEffect, useState } from 'react';
import { createRoot } from 'react-dom/client';
import { Link, Route, Router } from 'wouter';
import { memoryLocation } from 'wouter/memory-location';

declare global {
  interface Window {
    peerItems: string[];
    peerRows: number;
  }
}

interface Row {
  id: string;
  title: string;
  description: string;
  time: string;
  status: string;
}

const features = tableFeatures({ rowSelectionFeature });
const data: Row[] = Array.from({ length: window.peerRows }, (_, index) => ({
  id: `${index}`,
  title: `News ${index}`,
  description: 'What happened and why it matters.',
  time: new Date(1_700_000_000_000 + index * 3_600_000).toISOString(),
  status: index % 2 ? 'Show' : 'Not Show',
}));
const columnDefs: ColumnDef<typeof features, Row>[] = (['title', 'description', 'time', 'status'] as const).map((key) => ({
  accessorKey: key,
  header: () => <Actions name={key} items={['Ascending', 'Descending', 'Hide']} />,
}));

function Actions({ name, items }: { name: string; items: readonly string[] }) {
  return (
    <Menu>
      <MenuButton>
        {name} <ChevronDown />
      </MenuButton>
      <MenuItems anchor="bottom end">
        {items.map((item) => (
          <MenuItem key={item}>
            <button type="button">{item}</button>
          </MenuItem>
        ))}
      </MenuItems>
    </Menu>
  );
}

function NewsTable() {
  const table = useTable({ features, columns: columnDefs, data, getRowId: (row) => row.id });
  return (
    <table>
      <thead>
        {table.getHeaderGroups().map((group) => (
          <tr key={group.id}>
            {group.headers.map((header) => (
              <th key={header.id}>
                <table.FlexRender header={header} />
              </th>
            ))}
          </tr>
        ))}
      </thead>
      <tbody>
        {table.getRowModel().rows.map((row) => (
          <tr key={row.id}>
            <td>
              <Checkbox
                aria-label="Select row"
                checked={row.getIsSelected()}
                onChange={(isSelected) => row.toggleSelected(isSelected)}
              >
                <Check />
              </Checkbox>
            </td>
            {row.getAllCells().map((cell) => (
              <td key={cell.id}>
                <table.FlexRender cell={cell} />
              </td>
            ))}
            <td>
              <Actions name="⋯" items={['Edit', 'Copy', 'Delete']} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Palette() {
  const [open, setOpen] = useState(false);
  useEffect(() => {
    addEventListener('keydown', (event) => {
      if (event.key !== 'k' || !event.ctrlKey) return;
      event.preventDefault();
      setOpen((isOpen) => !isOpen);
    });
  }, []);
  if (!open) return null;
  return (
    <Command data-palette>
      <Command.Input autoFocus data-palette-input />
      <Command.List>
        {window.peerItems.map((item) => (
          <Command.Item key={item} value={item}>
            {item}
          </Command.Item>
        ))}
      </Command.List>
    </Command>
  );
}

const { hook: locationHook } = memoryLocation({ path: '/' });
const rootElement = document.createElement('div');
document.body.append(rootElement);
createRoot(rootElement).render(
  <Router hook={locationHook}>
    <nav>
      <Link href="/">Home</Link> <Link href="/news">News</Link>
    </nav>
    <Route path="/news" component={NewsTable} />
    <Palette />
  </Router>,
);
