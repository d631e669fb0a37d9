import { useStore } from '@nanostores/react';
import Eye from 'lucide-react/icons/eye';
import { runCommand } from '../../commands/app/app.ts';
import { keysOf } from '../../commands/app/keymap.ts';
import { ariaKeys } from '../../commands/ui/controls/command-trigger.tsx';
import { t } from '../../lib/i18n/i18n.ts';
import { joinList } from '../../lib/i18n/punctuation.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { bilingualName } from '../../lib/i18n/name-of.ts';
import { $viewAs } from '../../lib/session/session.ts';
import { Button } from '../../lib/ui/button.tsx';

/** Stays on screen while the panel is viewed as a role or person. */
export function ViewAsBar() {
  const viewAs = useStore($viewAs);
  const [keys] = keysOf('session.leaveView');
  if (!viewAs) return null;
  const { networkRoles } = viewAs.access;
  return (
    <div
      role="status"
      data-state="viewAs"
      className="flex flex-wrap items-center gap-x-3 gap-y-1 border-b bg-warn-bg px-4 py-1 text-body text-warn-text"
    >
      <Eye size={16} aria-hidden="true" className="text-warn-icon" />
      <p className="min-w-0 flex-1">
        <strong className="font-semibold">{t(`shell.viewAs.${viewAs.kind}`, { name: viewAs.name })}</strong>{' '}
        {t('shell.viewAs.closed')}
        {networkRoles.length > 0 && ` ${t('state.networkRoles', { roles: joinList(networkRoles.map(roleText)) })}`}
      </p>
      <Button
        data-command="session.leaveView"
        keys={keys}
        aria-keyshortcuts={keys && ariaKeys(keys)}
        onClick={() => runCommand({ id: 'session.leaveView' }, 'button')}
      >
        {bilingualName('session.leaveView')}
      </Button>
    </div>
  );
}
