import type { CommandId } from '../../../api/names.ts';
import type { RoutePath } from '../../../api/menu.ts';
import type { IconName } from '../../lib/ui/icon.tsx';
import { defineCommand, none } from '../engine/define.ts';

/** Goes to a screen: whoever may open it may run this. */
const go = (id: CommandId, path: RoutePath, icon: IconName, keys?: string) =>
  defineCommand({
    id,
    permission: path,
    icon,
    place: 'global',
    target: none,
    params: null,
    danger: 'none',
    passing: true,
    ...(keys ? { keys: [keys] } : {}),
    run: ({ ui }) => ui.navigate(path),
  });

export const navigation = [
  go('go.home', '/', 'house', 'g h'),
  go('go.news', '/news', 'newspaper', 'g n'),
  go('go.feedback', '/feedback', 'message-square', 'g f'),
  go('go.dataView', '/statistics/dataView', 'chart-line', 'g s'),
  go('go.dataVault', '/statistics/dataVault', 'vault'),
  go('go.dataWallet', '/statistics/dataWallet', 'wallet'),
  go('go.dataCdp', '/statistics/dataCdp', 'layers'),
  go('go.dataCaptain', '/statistics/datacaptain', 'users'),
  go('go.dataOpenBox', '/statistics/data0penBox', 'gift'),
  go('go.notices', '/notices', 'megaphone', 'g a'),
  go('go.points', '/points', 'coins', 'g p'),
  go('go.NFTAirdrop', '/NFTAirdrop', 'send', 'g t'),
  go('go.overview', '/overview', 'gauge', 'g o'),
  go('go.administrator', '/permissions/administrator', 'user-cog', 'g m'),
  go('go.role', '/permissions/role', 'id-card', 'g r'),
  go('go.permission', '/permissions/permission', 'list-tree'),
  go('go.dataPanel', '/selfCustody/dataPanel', 'landmark', 'g b'),
  go('go.deposit', '/selfCustody/deposit', 'arrow-down-to-line', 'g d'),
  go('go.withdraw', '/selfCustody/withdraw', 'arrow-up-from-line', 'g w'),
  go('go.CRSMList', '/CRSMTrove/CRSMList', 'boxes', 'g c'),
  go('go.audit', '/audit', 'history', 'g u'),
  go('go.account', '/account', 'circle-user', 'g y'),
  go('go.positionList', '/CRSMTrove/positionList', 'list', 'g l'),
];
