import { useEffect, useRef, useState } from 'react';
import type { CommandId } from '../../../../api/names.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { $viewContexts, findListContext, type Target } from '../../../lib/scope.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import { describeCondition } from '../../../lib/ui/list/filter/describe.ts';
import type { FilterValues } from '../../../lib/ui/list/filter/filters.ts';
import { listCellFilters, type CellFilter } from '../../../lib/ui/list/filter/cell-filters.ts';
import { useNames } from '../../../lib/ui/list/filter/use-names.ts';
import { Menu, MenuItem, MenuSeparator } from '../../../lib/ui/overlay/menu.tsx';
import { assessCommand } from '../../app/context.ts';
import { registry } from '../../app/registry.ts';
import { CommandItem, sortForMenu } from './command-trigger.tsx';

interface RowMenuRequest {
  x: number;
  y: number;
  targets: readonly Target[];
  ids: readonly CommandId[];
  grid: HTMLElement;
  cellFilters: readonly CellFilter[];
  setFilter: (patch: FilterValues) => void;
}

/** Links, selected text and fields keep the browser's menu, and Shift shows it anywhere. */
export function RowContextMenu() {
  const [menuRequest, setMenuRequest] = useState<RowMenuRequest | null>(null);
  const opener = useRef<HTMLButtonElement>(null);

  useEffect(() => {
    let hadSelectedText = false; // macOS selects the word under a right click
    const onPointerDown = () => {
      hadSelectedText = getSelection()?.isCollapsed === false;
    };
    const onContextMenu = (event: MouseEvent) => {
      const request = event.shiftKey || event.defaultPrevented || hadSelectedText ? null : menuRequestOf(event);
      if (!request) return;
      event.preventDefault();
      // A popover that opens while the button is down is closed by its release.
      if (event.buttons === 0) setMenuRequest(request);
      else addEventListener('pointerup', () => setTimeout(() => setMenuRequest(request)), { once: true });
    };
    addEventListener('pointerdown', onPointerDown, true);
    addEventListener('contextmenu', onContextMenu);
    return () => {
      removeEventListener('pointerdown', onPointerDown, true);
      removeEventListener('contextmenu', onContextMenu);
    };
  }, []);

  useEffect(() => {
    if (!menuRequest) return;
    const frame = requestAnimationFrame(() => opener.current?.click());
    return () => cancelAnimationFrame(frame);
  }, [menuRequest]);

  if (!menuRequest) return null;
  const { x, y, targets, ids, grid, cellFilters, setFilter } = menuRequest;
  const [firstTarget] = targets;
  return (
    <Menu
      key={`${x} ${y} ${firstTarget?.id}`}
      opener={(triggerProps) => (
        <button
          {...triggerProps}
          ref={(button) => {
            opener.current = button;
            button?.style.setProperty('left', `${x}px`);
            button?.style.setProperty('top', `${y}px`);
          }}
          type="button"
          tabIndex={-1}
          data-tip=""
          aria-label={t('finder.targets', { count: targets.length, name: firstTarget?.name ?? '' })}
          className="pointer-events-none fixed size-0 opacity-0"
          onFocus={() => grid.focus({ preventScroll: true })}
        />
      )}
    >
      <div className="max-w-72 truncate px-2 py-1 text-meta text-2">
        {t('finder.targets', { count: targets.length, name: firstTarget?.name ?? '' })}
      </div>
      {ids.map((id) => (
        <CommandItem key={id} id={id} targets={targets} source="row" />
      ))}
      {cellFilters.length > 0 && <MenuSeparator />}
      {cellFilters.map((cellFilter) => (
        <CellFilterItems key={cellFilter.field} like={cellFilter} setFilter={setFilter} />
      ))}
      <MenuSeparator />
      <div className="px-2 py-1 text-meta text-2">{t('page.browserMenu')}</div>
    </Menu>
  );
}

function CellFilterItems({
  like: { field, filter, only, not },
  setFilter,
}: { like: CellFilter } & Pick<RowMenuRequest, 'setFilter'>) {
  const names = useNames(field, filter);
  const filterTexts = { label: t(filter.label), value: describeCondition(filter, only, names).value };
  return (
    <>
      <MenuItem icon={<Icon name="list-filter" />} onSelect={() => setFilter({ [field]: only })}>
        {t('rows.only', filterTexts)}
      </MenuItem>
      {not !== null && (
        <MenuItem icon={<Icon name="filter-x" />} onSelect={() => setFilter({ [field]: not })}>
          {t('rows.not', filterTexts)}
        </MenuItem>
      )}
    </>
  );
}

const nativeMenuSelector = 'a[href]:not([data-title]),img,input:not([type="checkbox"]),textarea,select,[role="menu"]';

function menuRequestOf({ target, clientX: x, clientY: y }: MouseEvent): RowMenuRequest | null {
  if (!(target instanceof Element) || target.closest(nativeMenuSelector)) return null;
  const grid = target.closest('[data-cursor]')?.closest<HTMLElement>('[role="grid"]');
  const viewContext = findListContext($viewContexts.get());
  if (!grid || !viewContext?.cursor) return null;
  const { cursor, checked } = viewContext;
  const targets = checked.some(({ id }) => id === cursor.id) ? checked : [cursor];
  const ids = sortForMenu(registry.all)
    .filter((command) => command.target.kind !== 'none' && command.target.entity === cursor.entity)
    .filter(
      (command) => (targets.length === 1 || command.target.kind === 'many') && assessCommand(command, targets).state !== 'hidden',
    )
    .map(({ id }) => id);
  const cells = viewContext.controls?.cells?.();
  const column = target.closest<HTMLElement>('[data-column]')?.dataset['column'];
  const cellFilters = cells ? listCellFilters(cells).filter((cellFilter) => cellFilter.column === column) : [];
  return ids.length + cellFilters.length > 0
    ? { x, y, targets, ids, grid, cellFilters, setFilter: cells?.setFilter ?? noop }
    : null;
}

const noop = () => {};
