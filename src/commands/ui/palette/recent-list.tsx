import { useStore } from '@nanostores/react';
import { useCallback } from 'react';
import { $permittedPaths } from '../../../lib/session/session.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import { runCommand } from '../../app/app.ts';
import { iconOf, screenName } from './preview.tsx';
import { useRecent } from './recent-rows.ts';
import { recordKindOf } from './search/searchers.ts';

const maxShown = 8;

/** Records that this person opened last on this device, on screens that they may open. */
export function RecentList({ empty }: { empty: string }) {
  const permitted = useStore($permittedPaths);
  const canOpen = useCallback((path: string) => permitted.has(path), [permitted]);
  const recents = useRecent(true, canOpen).slice(0, maxShown);
  if (recents.length === 0) return <p className="text-body text-2">{empty}</p>;
  return (
    <ul className="-mx-2 max-w-160">
      {recents.map(({ entity, id, name }) => {
        const { open, place = '' } = recordKindOf({ entity });
        return (
          <li key={`${entity}:${id}`}>
            <button
              type="button"
              data-recent-record={id}
              className="flex h-row w-full items-center gap-2 rounded-control px-2 text-start hover:bg-layer-hover"
              onClick={() => open && runCommand({ id: open, targets: [id] }, 'button')}
            >
              <Icon name={iconOf(place)} className="text-2" />
              <span className="min-w-0 flex-1 truncate">{name}</span>
              <span className="shrink-0 text-meta text-2">{screenName(place)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
