import { useStore } from '@nanostores/react';
import Ellipsis from 'lucide-react/icons/ellipsis';
import Filter from 'lucide-react/icons/funnel';
import Search from 'lucide-react/icons/search';
import { useSyncExternalStore, type ReactNode } from 'react';
import { createPortal } from 'react-dom';
import { useLocation } from 'wouter';
import type { CommandId } from '../../../../api/names.ts';
import { pickLocaleName, t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { $viewContext } from '../../../lib/scope.ts';
import { $codeSet } from '../../../lib/session/session.ts';
import { Icon } from '../../../lib/ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../lib/ui/overlay/menu.tsx';
import { runCommand } from '../../app/app.ts';
import { assessCommand } from '../../app/context.ts';
import { useElement } from '../../../lib/ui/use-element.ts';
import { registry } from '../../app/registry.ts';
import { useTrail } from './crumbs.tsx';
import { CommandItem } from './command-trigger.tsx';

const narrowQuery = matchMedia('(max-width: 767px)');
const onNarrow = (onChange: () => void) => {
  narrowQuery.addEventListener('change', onChange);
  return () => narrowQuery.removeEventListener('change', onChange);
};

/** Commands that otherwise need keys or the palette. */
const listCommands = ['list.selectAll', 'list.filter', 'list.clearFilter', 'list.refresh', 'list.columns'] as const;
const pageCommands = ['history.undo', 'history.repeat', 'page.print', 'keys.help'] as const;

export function CommandBar() {
  return useSyncExternalStore(onNarrow, () => narrowQuery.matches) ? <Bar /> : null;
}

function Bar() {
  const [path, navigate] = useLocation();
  const trail = useTrail();
  const allCommands = useStore(registry.$all);
  const viewContext = useStore($viewContext);
  useStore($codeSet);
  const slotElement = useElement('commands');
  if (!slotElement) return null;

  const screenCommands = allCommands.filter(
    (command) => command.place === path && command.target.kind === 'none' && assessCommand(command).state !== 'hidden',
  );
  const primaryCommand =
    screenCommands.find(({ id }) => /\.(add|open|bind)$|Add$/.test(id)) ??
    screenCommands.find(({ danger }) => danger !== 'irreversible');
  const hasList = Boolean(viewContext?.controls);
  return createPortal(
    <div role="toolbar" aria-label={t('page.commands')} className="flex h-full items-stretch border-t bg-canvas">
      {primaryCommand && (
        <BarItem
          icon={<Icon name={primaryCommand.icon} size={18} />}
          command={primaryCommand.id}
          words={bilingualName(primaryCommand.id)}
        />
      )}
      {hasList && <BarItem icon={<Filter size={18} aria-hidden="true" />} command="list.addFilter" words={t('page.filter')} />}
      <Menu
        align="end"
        opener={(openerProps) => (
          <button type="button" {...openerProps} data-tip="" className={slotClass}>
            <Ellipsis size={18} aria-hidden="true" />
            <span>{t('page.more')}</span>
          </button>
        )}
      >
        {trail.length > 1 && (
          <>
            {trail.slice(0, -1).map((node) => (
              <MenuItem key={node.path} onSelect={() => navigate(node.path)}>
                {pickLocaleName(node)}
              </MenuItem>
            ))}
            <MenuSeparator />
          </>
        )}
        {screenCommands.map(({ id }) => (
          <CommandItem key={id} id={id} />
        ))}
        {screenCommands.length > 0 && <MenuSeparator />}
        {(hasList ? [...listCommands, ...pageCommands] : pageCommands).map((id) => (
          <CommandItem key={id} id={id} />
        ))}
      </Menu>
      <BarItem icon={<Search size={18} aria-hidden="true" />} command="palette.open" words={t('page.search')} />
    </div>,
    slotElement,
  );
}

const slotClass =
  'ring-inside flex min-h-11 min-w-0 flex-1 basis-0 flex-col items-center justify-center gap-0.5 px-1 text-meta text-2 hover:bg-layer-hover active:bg-layer-active';

const BarItem = ({ icon, command, words }: { icon: ReactNode; command: CommandId; words: string }) => (
  <button type="button" data-command={command} className={slotClass} onClick={() => runCommand({ id: command }, 'button')}>
    {icon}
    <span className="line-clamp-2 max-w-full text-center leading-3.5 text-balance">{words}</span>
  </button>
);
