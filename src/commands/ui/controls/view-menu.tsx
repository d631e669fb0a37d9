import { useQuery } from '@tanstack/react-query';
import Bookmark from 'lucide-react/icons/bookmark';
import Check from 'lucide-react/icons/check';
import { useLocation, useSearch } from 'wouter';
import { api } from '../../../lib/net/client.ts';
import { t } from '../../../lib/i18n/i18n.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { addIcons, Icon } from '../../../lib/ui/icon.tsx';
import { Menu, MenuItem, MenuSeparator } from '../../../lib/ui/overlay/menu.tsx';
import { moreIcons } from '../../../lib/ui/more-icons.ts';
import { runCommand } from '../../app/app.ts';
import { registry } from '../../app/registry.ts';
import { isViewOpen } from '../../saved-views/commands.ts';
import { CommandItem } from './command-trigger.tsx';

addIcons(moreIcons);

const viewCommands = ['views.copyLink', 'views.rename', 'views.delete'] as const;

export function ViewMenu() {
  const [path] = useLocation();
  const search = useSearch();
  const { data = [] } = useQuery(
    { queryKey: ['views'], queryFn: ({ signal }) => api.views.list(undefined, { signal }) },
    queryClient,
  );
  const viewsOfScreen = data.filter(({ place }) => place === path);
  const openView = viewsOfScreen.find((view) => isViewOpen(view, `${path}?${search}`));
  return (
    <Menu
      align="end"
      opener={(openerProps) => (
        <Button {...openerProps} look="ghost" icon={<Bookmark size={14} aria-hidden="true" />} data-views>
          <span className="max-w-40 truncate max-sm:sr-only">{openView?.name ?? t('views.title')}</span>
        </Button>
      )}
    >
      {viewsOfScreen.map((view) => (
        <MenuItem
          key={view.id}
          icon={view === openView ? <Check size={16} aria-hidden="true" /> : <span className="block w-4" />}
          onSelect={() => runCommand({ id: 'views.open', params: { view: view.id } }, 'menu')}
        >
          <span className="break-words">{view.name}</span>
          {view === openView && <span className="sr-only">{t('views.open')}</span>}
        </MenuItem>
      ))}
      {viewsOfScreen.length === 0 && <p className="max-w-64 px-2 py-1.5 text-meta text-2">{t('views.none')}</p>}
      <MenuSeparator />
      {!openView && <CommandItem id="views.save" />}
      {openView &&
        viewCommands.map((id) => (
          <MenuItem
            key={id}
            icon={<Icon name={registry.get(id)?.icon ?? 'bookmark'} />}
            onSelect={() => runCommand({ id, params: { view: openView.id } }, 'menu')}
          >
            {bilingualName(id)}
          </MenuItem>
        ))}
    </Menu>
  );
}
