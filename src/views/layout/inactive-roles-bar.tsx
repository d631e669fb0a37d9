import { useStore } from '@nanostores/react';
import WifiOff from 'lucide-react/icons/wifi-off';
import { t } from '../../lib/i18n/i18n.ts';
import { joinList } from '../../lib/i18n/punctuation.ts';
import { roleText } from '../../lib/i18n/role-text.ts';
import { $inactiveRoles } from '../../lib/session/session.ts';

/** Why screens and commands are missing on this network. */
export function InactiveRolesBar() {
  const names = useStore($inactiveRoles).map(roleText);
  return (
    <div
      role="status"
      data-state="inactiveRoles"
      className="flex items-center gap-x-3 border-b bg-info-bg px-4 py-1 text-body text-info-text"
    >
      <WifiOff size={16} aria-hidden="true" />
      <p className="min-w-0 flex-1">{t('state.inactiveRoles', { roles: joinList(names), count: names.length })}</p>
    </div>
  );
}
