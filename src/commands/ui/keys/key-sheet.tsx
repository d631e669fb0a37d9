import { useStore } from '@nanostores/react';
import { useEffect, useRef, useState } from 'react';
import { useLocation } from 'wouter';
import { flattenMenu } from '../../../../api/menu.ts';
import { pickLocaleName, locale, t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { Dialog } from '../../../lib/ui/overlay/dialog.tsx';
import { Kbd } from '../../../lib/ui/value/kbd.tsx';
import { registry } from '../../app/registry.ts';
import { assessCommand } from '../../app/context.ts';
import type { AnyCommand } from '../../engine/define.ts';
import { matchCommand, parseQuery } from '../palette/search/search.ts';
import { $keymap, $singleKeys, keysOf, setSingleKeys } from '../../app/keymap.ts';
import { CommandTrigger } from '../controls/command-trigger.tsx';

export function KeySheet({ onClose }: { onClose: () => void }) {
  const [query, setQuery] = useState('');
  const [path] = useLocation();
  const openedAt = useRef(path);
  useEffect(() => {
    if (path !== openedAt.current) onClose();
  }, [path, onClose]);
  const isSingleKeysOn = useStore($singleKeys);
  useStore($keymap);
  const allCommands = useStore(registry.$all);
  const shownLanguage = locale() === 'zh-CN' ? 'zh' : 'en';
  const searchQuery = parseQuery(query);
  const commands = allCommands.filter(
    (command) =>
      keysOf(command.id).length > 0 &&
      assessCommand(command).state !== 'hidden' &&
      (searchQuery.asked === '' || matchCommand(command.id, searchQuery, shownLanguage)),
  );
  return (
    <Dialog open onClose={onClose} title={t('keys.title')} size="large">
      <div className="sticky top-0 z-10 flex flex-wrap items-center gap-4 bg-overlay pb-3">
        <input
          data-autofocus
          type="search"
          aria-label={t('keys.search')}
          placeholder={t('keys.search')}
          value={query}
          onChange={(event) => setQuery(event.target.value)}
          className="h-control grow rounded-control border border-control bg-surface px-2"
        />
        <label className="inline-flex items-center gap-2">
          <input
            type="checkbox"
            checked={isSingleKeysOn}
            onChange={(event) => setSingleKeys(event.target.checked)}
            className="size-4 accent-accent"
          />
          {t('keys.single')}
        </label>
      </div>
      <div className="flex flex-wrap gap-2 pb-3">
        <CommandTrigger id="keys.edit" />
        <CommandTrigger id="go.help" />
      </div>
      <div className="gap-8 pb-4 sm:columns-2">
        {sectionsOf(sortByRelevance(commands, path)).map(({ title, members }) => (
          <section key={title} className="mb-5 break-inside-avoid">
            <h3 className="pb-1 text-meta font-semibold text-2">{title}</h3>
            <dl>
              {members.map(({ id }) => (
                <div key={id} className="flex min-h-7 items-center justify-between gap-4 border-b border-hairline">
                  <dt className="truncate">{bilingualName(id)}</dt>
                  <dd className="flex shrink-0 gap-3">
                    {keysOf(id).map((keys) => (
                      <Kbd key={keys} keys={keys} always />
                    ))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
        {commands.length === 0 && <p className="text-2">{t('finder.empty')}</p>}
      </div>
    </Dialog>
  );
}

function sortByRelevance(commands: readonly AnyCommand[], path: string): AnyCommand[] {
  const rank = ({ id, place }: AnyCommand) =>
    place === path ? 0 : place === 'list' ? 1 : id.startsWith('go.') ? 3 : place === 'global' ? 2 : 4;
  return commands.toSorted((a, b) => rank(a) - rank(b));
}

export function sectionsOf(commands: readonly AnyCommand[]): { title: string; members: AnyCommand[] }[] {
  const titleOf = ({ place, id }: AnyCommand) => {
    if (id.startsWith('go.')) return t('finder.group.places');
    if (place === 'global') return t('keys.global');
    if (place === 'list') return t('keys.list');
    const node = flattenMenu().find(({ path }) => path === place);
    return node ? pickLocaleName(node) : place;
  };
  const sections = new Map<string, AnyCommand[]>();
  for (const command of commands) sections.set(titleOf(command), [...(sections.get(titleOf(command)) ?? []), command]);
  return [...sections].map(([title, members]) => ({ title, members }));
}
