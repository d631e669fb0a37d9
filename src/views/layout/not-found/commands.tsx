import { QueryClientProvider } from '@tanstack/react-query';
import Search from 'lucide-react/icons/search';
import { runCommand } from '../../../commands/app/app.ts';
import { keysOf } from '../../../commands/app/keymap.ts';
import { ariaKeys } from '../../../commands/ui/controls/command-trigger.tsx';
import { Surfaces } from '../../../commands/ui/surfaces.tsx';
import { setOnUnauthorized } from '../../../lib/net/client.ts';
import { bilingualName } from '../../../lib/i18n/name-of.ts';
import { queryClient } from '../../../lib/net/query.ts';
import { Button } from '../../../lib/ui/button.tsx';
import { ViewAsBar } from '../view-as-bar.tsx';
import { expireSession } from '../../../lib/session/watch-session.ts';

setOnUnauthorized(expireSession);

/** The palette and its keys, outside the layout. */
export function NotFoundCommands() {
  const [keys] = keysOf('palette.open');
  return (
    <QueryClientProvider client={queryClient}>
      <Button
        data-command="palette.open"
        icon={<Search size={16} strokeWidth={1.75} aria-hidden="true" />}
        keys={keys}
        {...(keys && { 'aria-keyshortcuts': ariaKeys(keys) })}
        onClick={() => runCommand({ id: 'palette.open' }, 'button')}
      >
        {bilingualName('palette.open')}
      </Button>
      <div className="fixed inset-x-0 top-0">
        <ViewAsBar />
      </div>
      <Surfaces />
    </QueryClientProvider>
  );
}
