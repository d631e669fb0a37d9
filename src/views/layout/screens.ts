import type { ComponentType } from 'react';
import { allScreens, type MenuNode, type ScreenPath } from '../../../api/menu.ts';
import { loadWords } from '../../lib/i18n/screen-words.ts';
import { chunk, type Chunk } from '../../lib/chunks/loader.ts';

type View = Chunk<ComponentType>;

/** The six screens of statistics come in one file. */
const statistics: View = chunk(
  async () =>
    (await Promise.all([import('../statistics/screen.tsx'), loadWords('statistics'), loadWords('chart')]))[0].Statistics,
);

/** The view of every screen: one left out does not compile. */
const built: Readonly<Record<ScreenPath, View>> = {
  '/': chunk(
    async () =>
      (
        await Promise.all([import('../workspace/home/screen.tsx'), loadWords('home'), loadWords('overview'), loadWords('chart')])
      )[0].Home,
  ),
  '/permissions/administrator': chunk(
    async () =>
      (await Promise.all([import('../access/administrators/screen.tsx'), loadWords('administrators')]))[0].Administrators,
  ),
  '/audit': chunk(
    async () => (await Promise.all([import('../audit/screen.tsx'), loadWords('audit'), loadWords('record')]))[0].Audit,
  ),
  '/account': chunk(async () => (await Promise.all([import('../account/screen.tsx'), loadWords('account')]))[0].Account),
  '/permissions/role': chunk(
    async () => (await Promise.all([import('../access/roles/screen.tsx'), loadWords('roles')]))[0].Roles,
  ),
  '/permissions/permission': chunk(
    async () => (await Promise.all([import('../access/permissions/screen.tsx'), loadWords('permissions')]))[0].Permissions,
  ),
  '/points': chunk(async () => (await Promise.all([import('../rewards/points/screen.tsx'), loadWords('points')]))[0].Points),
  '/NFTAirdrop': chunk(
    async () => (await Promise.all([import('../rewards/airdrops/screen.tsx'), loadWords('airdrops')]))[0].Airdrops,
  ),
  '/feedback': chunk(
    async () => (await Promise.all([import('../feedback/screen.tsx'), loadWords('feedback'), loadWords('kit')]))[0].Feedback,
  ),
  '/selfCustody/deposit': chunk(
    async () =>
      (await Promise.all([import('../deposits/screen.tsx'), loadWords('deposits'), loadWords('dataPanel')]))[0].Deposits,
  ),
  '/selfCustody/dataPanel': chunk(
    async () => (await Promise.all([import('../custody/screen.tsx'), loadWords('dataPanel')]))[0].DataPanel,
  ),
  '/selfCustody/withdraw': chunk(
    async () =>
      (await Promise.all([import('../withdrawals/screen.tsx'), loadWords('withdrawals'), loadWords('dataPanel')]))[0].Withdrawals,
  ),
  '/CRSMTrove/CRSMList': chunk(async () => (await Promise.all([import('../crsm/screen.tsx'), loadWords('crsm')]))[0].Crsms),
  '/CRSMTrove/positionList': chunk(
    async () => (await Promise.all([import('../crsm/positions/screen.tsx'), loadWords('crsm')]))[0].Positions,
  ),
  '/overview': chunk(
    async () =>
      (await Promise.all([import('../statistics/overview/screen.tsx'), loadWords('overview'), loadWords('chart')]))[0].Overview,
  ),
  '/statistics/dataView': statistics,
  '/statistics/dataVault': statistics,
  '/statistics/dataWallet': statistics,
  '/statistics/dataCdp': statistics,
  '/statistics/datacaptain': statistics,
  '/statistics/data0penBox': statistics,
  '/notices': chunk(async () => (await Promise.all([import('../notices/screen.tsx'), loadWords('notices')]))[0].Notices),
  '/news': chunk(async () => (await Promise.all([import('../news/screen.tsx'), loadWords('news')]))[0].News),
};

const screens = new Map(
  allScreens()
    .filter(({ children }) => !children)
    .map((node): [string, { node: MenuNode; view: View }] => [node.path, { node, view: built[node.path as ScreenPath] }]),
);

/** The screen at a path: its place in the menu and its view. Null for groups and unknown paths. */
export const screenAt = (path: string) => screens.get(path) ?? null;

/** Asks for a screen's file before it is gone to. A failure is told when the person gets there. */
export const preloadScreen = (path: string): void =>
  void screens
    .get(path)
    ?.view.load()
    .catch(() => {});
