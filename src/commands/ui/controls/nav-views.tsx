import { useStore } from '@nanostores/react';
import { useQuery } from '@tanstack/react-query';
import Bookmark from 'lucide-react/icons/bookmark';
import ChevronDown from 'lucide-react/icons/chevron-down';
import { Link, useLocation, useSearch } from 'wouter';
import type { ViewRow } from '../../../../api/saved-views/contract.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { api } from '../../../lib/net/client.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { $closedGroups, toggleGroup } from '../../../lib/prefs/sidebar.ts';
import { viewAddress, isViewOpen } from '../../saved-views/commands.ts';

export function NavViews({ place }: { place: string }) {
  const { data } = useQuery({ queryKey: ['views'], queryFn: ({ signal }) => api.views.list(undefined, { signal }) }, queryClient);
  const isOpen = !useStore($closedGroups).has(place);
  const views = data?.filter((view) => view.place === place) ?? [];
  if (views.length === 0) return null;
  const label = t('views.title');
  return (
    <div className="relative" data-nav-views={place}>
      <button
        type="button"
        aria-label={label}
        title={label}
        aria-expanded={isOpen}
        onClick={() => toggleGroup(place)}
        className="ring-inside absolute end-0 bottom-full flex h-control w-6 items-center justify-center rounded-control text-2 hover:bg-layer-hover hover:text-1"
      >
        <ChevronDown size={14} aria-hidden="true" className={isOpen ? '' : '-rotate-90 rtl:rotate-90'} />
      </button>
      {isOpen && (
        <ul aria-label={label} className="mt-px flex flex-col gap-px">
          {views.map((view) => (
            <li key={view.id}>
              <ViewLink view={view} />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

function ViewLink({ view }: { view: ViewRow }) {
  const [path] = useLocation();
  const isCurrent = isViewOpen(view, `${path}?${useSearch()}`);
  return (
    <Link
      href={viewAddress(view)}
      aria-current={isCurrent ? 'true' : undefined}
      title={view.name}
      // Closes the menu sheet, because the screen may stay the same.
      onClick={({ currentTarget }) => (currentTarget as HTMLElement).closest('dialog')?.close()}
      className={`ring-inside flex h-control items-center gap-2 rounded-control ps-8.5 pe-1 text-body select-none hover:bg-layer-hover ${
        isCurrent ? 'bg-layer-selected font-medium text-1' : 'text-2 hover:text-1'
      }`}
    >
      <Bookmark size={12} aria-hidden="true" className={isCurrent ? 'fill-current' : ''} />
      <span className="truncate">{view.name}</span>
    </Link>
  );
}
