import * as Checkbox from '@radix-ui/react-checkbox';
import * as Popover from '@radix-ui/react-popover';
import * as Select from '@radix-ui/react-select';
import {
  columnFacetingFeature,
  columnFilteringFeature,
  columnVisibilityFeature,
  createColumnHelper,
  createFacetedRowModel,
  createFacetedUniqueValues,
  createFilteredRowModel,
  createPaginatedRowModel,
  createSortedRowModel,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  tableFeatures,
  useTable,
  type Column,
} from '@tanstack/react-table';
import ArrowDown from 'lucide-react/icons/arrow-down';
import ArrowRight from 'lucide-react/icons/arrow-right';
import ArrowUp from 'lucide-react/icons/arrow-up';
import Check from 'lucide-react/icons/check';
import ChevronDown from 'lucide-react/icons/chevron-down';
import ChevronLeft from 'lucide-react/icons/chevron-left';
import ChevronRight from 'lucide-react/icons/chevron-right';
import ChevronsLeft from 'lucide-react/icons/chevrons-left';
import ChevronsRight from 'lucide-react/icons/chevrons-right';
import ChevronsUpDown from 'lucide-react/icons/chevrons-up-down';
import Circle from 'lucide-react/icons/circle';
import CircleCheck from 'lucide-react/icons/circle-check';
import CirclePlus from 'lucide-react/icons/circle-plus';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Settings2 from 'lucide-react/icons/settings-2';
import Timer from 'lucide-react/icons/timer';
import { Menu } from './menu.tsx';

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

const features = tableFeatures({
  columnFacetingFeature,
  columnFilteringFeature,
  columnVisibilityFeature,
  globalFilteringFeature,
  rowPaginationFeature,
  rowSelectionFeature,
  rowSortingFeature,
  facetedRowModel: createFacetedRowModel(),
  facetedUniqueValues: createFacetedUniqueValues(),
  filteredRowModel: createFilteredRowModel(),
  paginatedRowModel: createPaginatedRowModel(),
  sortedRowModel: createSortedRowModel(),
});

const of = createColumnHelper<typeof features, Task>();

const columns = of.columns([
  of.display({
    id: 'select',
    header: ({ table }) => (
      <Box label="Select all" checked={table.getIsAllPageRowsSelected()} onChange={(on) => table.toggleAllPageRowsSelected(on)} />
    ),
    cell: ({ row }) => <Box label="Select row" checked={row.getIsSelected()} onChange={(on) => row.toggleSelected(on)} />,
  }),
  of.accessor('id', { header: 'Task', cell: ({ getValue }) => <div className="w-20">{getValue()}</div> }),
  of.accessor('title', {
    header: () => <Heading>Title</Heading>,
    cell: ({ row }) => (
      <div className="flex gap-2">
        <span className="rounded-md border border-neutral-200 px-2 py-0.5 text-xs font-medium">{row.original.label}</span>
        <span className="max-w-125 truncate font-medium">{row.original.title}</span>
      </div>
    ),
  }),
  of.accessor('status', {
    header: () => <Heading>Status</Heading>,
    cell: ({ getValue }) => <Worded icons={statuses} word={getValue()} />,
  }),
  of.accessor('priority', {
    header: () => <Heading>Priority</Heading>,
    cell: ({ getValue }) => <Worded icons={priorities} word={getValue()} />,
  }),
  of.display({ id: 'actions', cell: () => <Menu label="Open menu" icon={Ellipsis} items={['Edit', 'Copy', 'Delete']} /> }),
]);

function Heading({ children }: { children: string }) {
  return (
    <Menu label={children} icon={ChevronsUpDown} items={['Asc', 'Desc', 'Hide']}>
      <span>{children}</span>
    </Menu>
  );
}

function Box({ label, checked, onChange }: { label: string; checked: boolean; onChange: (on: boolean) => void }) {
  return (
    <Checkbox.Root
      aria-label={label}
      checked={checked}
      onCheckedChange={(on) => onChange(on === true)}
      className="size-4 rounded-sm border border-neutral-300 data-[state=checked]:bg-neutral-900"
    >
      <Checkbox.Indicator className="flex items-center justify-center">
        <Check className="size-3.5" />
      </Checkbox.Indicator>
    </Checkbox.Root>
  );
}

function Worded({ icons, word }: { icons: Readonly<Record<string, typeof Circle>>; word: string }) {
  const Icon = icons[word] ?? Circle;
  return (
    <div className="flex w-25 items-center gap-2">
      <Icon className="size-4 text-neutral-500" />
      <span className="capitalize">{word}</span>
    </div>
  );
}

/** Which values a column has and how many rows each. */
function Facet({ column, name }: { column: Column<typeof features, Task> | undefined; name: string }) {
  const facets = column?.getFacetedUniqueValues();
  return (
    <Popover.Root>
      <Popover.Trigger asChild>
        <button type="button" className="flex h-8 items-center gap-2 rounded-md border border-dashed border-neutral-200 px-3">
          <CirclePlus className="size-4" /> {name}
        </button>
      </Popover.Trigger>
      <Popover.Portal>
        <Popover.Content align="start" className="w-50 rounded-md border border-neutral-200 bg-white p-2 shadow-md">
          {[...(facets ?? [])].map(([value, count]) => (
            <div key={String(value)} className="flex justify-between">
              <span>{String(value)}</span> <span>{count}</span>
            </div>
          ))}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}

const pagers = [ChevronsLeft, ChevronLeft, ChevronRight, ChevronsRight];
const cellClass = 'p-2 align-middle whitespace-nowrap';

/** Ten of all the rows, with what narrows them above and what turns the page below. */
export function Tasks() {
  const table = useTable({ features, columns, data: tasks, initialState: { pagination: { pageIndex: 0, pageSize: 10 } } });
  return (
    <div className="flex flex-col gap-4">
      <div className="flex items-center gap-2">
        <input
          placeholder="Filter by title or ID..."
          onChange={(event) => table.setGlobalFilter(event.target.value)}
          className="h-8 w-62 rounded-md border border-neutral-200 px-3"
        />
        <Facet name="Status" column={table.getColumn('status')} />
        <Facet name="Priority" column={table.getColumn('priority')} />
        <div className="ms-auto">
          <Menu label="View" icon={Settings2} items={table.getAllLeafColumns().map(({ id }) => id)} />
        </div>
      </div>
      <div className="overflow-hidden rounded-md border border-neutral-200">
        <table className="w-full caption-bottom text-sm">
          <thead>
            {table.getHeaderGroups().map((group) => (
              <tr key={group.id} className="border-b border-neutral-200">
                {group.headers.map((header) => (
                  <th key={header.id} className="h-10 px-2 text-left align-middle font-medium whitespace-nowrap">
                    <table.FlexRender header={header} />
                  </th>
                ))}
              </tr>
            ))}
          </thead>
          <tbody>
            {table.getRowModel().rows.map((row) => (
              <tr
                key={row.id}
                data-state={row.getIsSelected() ? 'selected' : undefined}
                className="border-b border-neutral-200 transition-colors hover:bg-neutral-100/50"
              >
                {row.getVisibleCells().map((cell) => (
                  <td key={cell.id} className={cellClass}>
                    <table.FlexRender cell={cell} />
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
      <div className="flex items-center justify-end gap-2">
        <span>Rows per page</span>
        <Select.Root value="10" onValueChange={(size) => table.setPageSize(Number(size))}>
          <Select.Trigger className="flex h-8 w-18 items-center justify-between rounded-md border border-neutral-200 px-3">
            <Select.Value /> <ChevronDown className="size-4" />
          </Select.Trigger>
          <Select.Portal>
            <Select.Content side="top" className="rounded-md border border-neutral-200 bg-white p-1 shadow-md">
              <Select.Viewport>
                {['10', '20', '50'].map((size) => (
                  <Select.Item key={size} value={size}>
                    <Select.ItemText>{size}</Select.ItemText>
                  </Select.Item>
                ))}
              </Select.Viewport>
            </Select.Content>
          </Select.Portal>
        </Select.Root>
        <span>
          Page {table.state.pagination.pageIndex + 1} of {table.getPageCount()}
        </span>
        {pagers.map((Icon, at) => (
          <button
            key={Icon.displayName ?? at}
            type="button"
            disabled={at < 2 ? !table.getCanPreviousPage() : !table.getCanNextPage()}
            onClick={() => (at < 2 ? table.previousPage() : table.nextPage())}
            className="flex size-8 items-center justify-center rounded-md border border-neutral-200"
          >
            <Icon className="size-4" />
          </button>
        ))}
      </div>
    </div>
  );
}
