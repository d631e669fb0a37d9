import { useStore } from '@nanostores/react';
import { useState } from 'react';
import { flattenMenu } from '../../../api/menu.ts';
import { runCommand } from '../../commands/app/app.ts';
import type { RecordKind } from '../../commands/engine/resource.ts';
import { createChunk } from '../../lib/chunks/loader.ts';
import { useChunk } from '../../lib/chunks/use-chunk.ts';
import { pickLocaleName, t } from '../../lib/i18n/i18n.ts';
import type { EntityName } from '../../lib/scope.ts';
import { $permittedPaths } from '../../lib/session/session.ts';
import { recentRecords } from '../../lib/ui/record/recent.ts';

const kindsChunk = createChunk(async () => {
  const { records } = await import('../../commands/app/all-records.ts');
  return records as Readonly<Partial<Record<EntityName, Pick<RecordKind<EntityName>, 'open' | 'place'>>>>;
});
const maxShown = 8;

/** Records that this person opened last on this device, on screens that they may open. */
export function RecentList() {
  const permitted = useStore($permittedPaths);
  const [recents] = useState(recentRecords);
  const { value: kinds } = useChunk(kindsChunk, false);
  if (!kinds) return null;
  const shown = recents.flatMap((recent) => {
    const { open, place } = kinds[recent.entity] ?? {};
    return open && place && permitted.has(place) ? [{ ...recent, open, place }] : [];
  });
  if (shown.length === 0) return <p className="text-body text-2">{t('home.noRecent')}</p>;
  return (
    <ul className="-mx-2 max-w-160">
      {shown.slice(0, maxShown).map(({ entity, id, name, open, place }) => {
        const screen = flattenMenu().find(({ path }) => path === place);
        return (
          <li key={`${entity}:${id}`}>
            <button
              type="button"
              data-recent-record={id}
              className="flex h-row w-full items-center gap-2 rounded-control px-2 text-start hover:bg-layer-hover"
              onClick={() => runCommand({ id: open, targets: [id] }, 'button')}
            >
              <span className="min-w-0 flex-1 truncate" title={name}>
                {name}
              </span>
              <span className="shrink-0 text-meta text-2">{screen && pickLocaleName(screen)}</span>
            </button>
          </li>
        );
      })}
    </ul>
  );
}
