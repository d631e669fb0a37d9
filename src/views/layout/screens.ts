import type { ComponentType } from 'react';
import { allScreens, type MenuNode, type ScreenPath } from '../../../api/menu.ts';
import { loadWords } from '../../lib/i18n/screen-words.ts';
import { chunk, type Chunk } from '../../lib/chunks/loader.ts';

type View = Chunk<ComponentType>;

/** A screen's component, with the words that it needs beside the layout's. */
const view = (load: () => Promise<ComponentType>, ...words: Parameters<typeof loadWords>[0][]): View =>
  chunk(async () => (await Promise.all([load(), ...words.map((name) => loadWords(name))]))[0]);

/** The six screens of statistics come in one file. */
const statistics = view(() => import('../statistics/screen.tsx').then(({ Statistics }) => Statistics), 'statistics', 'chart');

/** The view of every screen: one left out does not compile. */
const built: Readonly<Record<ScreenPath, View>> = {
  '/': view(() => import('../workspace/home/screen.tsx').then(({ Home }) => Home), 'home', 'overview', 'chart'),
  '/permissions/administrator': view(
    () => import('../access/administrators/screen.tsx').then(({ Administrators }) => Administrators),
    'administrators',
  ),
  '/audit': view(() => import('../audit/screen.tsx').then(({ Audit }) => Audit), 'audit', 'record'),
  '/account': view(() => import('../account/screen.tsx').then(({ Account }) => Account), 'account'),
  '/permissions/role': view(() => import('../access/roles/screen.tsx').then(({ Roles }) => Roles), 'roles'),
  '/permissions/permission': view(
    () => import('../access/permissions/screen.tsx').then(({ Permissions }) => Permissions),
    'permissions',
  ),
  '/points': view(() => import('../rewards/points/screen.tsx').then(({ Points }) => Points), 'points'),
  '/NFTAirdrop': view(() => import('../rewards/airdrops/screen.tsx').then(({ Airdrops }) => Airdrops), 'airdrops'),
  '/feedback': view(() => import('../feedback/screen.tsx').then(({ Feedback }) => Feedback), 'feedback', 'kit'),
  '/selfCustody/deposit': view(() => import('../deposits/screen.tsx').then(({ Deposits }) => Deposits), 'deposits', 'dataPanel'),
  '/selfCustody/dataPanel': view(() => import('../custody/screen.tsx').then(({ DataPanel }) => DataPanel), 'dataPanel'),
  '/selfCustody/withdraw': view(
    () => import('../withdrawals/screen.tsx').then(({ Withdrawals }) => Withdrawals),
    'withdrawals',
    'dataPanel',
  ),
  '/CRSMTrove/CRSMList': view(() => import('../crsm/screen.tsx').then(({ Crsms }) => Crsms), 'crsm'),
  '/CRSMTrove/positionList': view(() => import('../crsm/positions/screen.tsx').then(({ Positions }) => Positions), 'crsm'),
  '/overview': view(() => import('../statistics/overview/screen.tsx').then(({ Overview }) => Overview), 'overview', 'chart'),
  '/statistics/dataView': statistics,
  '/statistics/dataVault': statistics,
  '/statistics/dataWallet': statistics,
  '/statistics/dataCdp': statistics,
  '/statistics/datacaptain': statistics,
  '/statistics/data0penBox': statistics,
  '/notices': view(() => import('../notices/screen.tsx').then(({ Notices }) => Notices), 'notices'),
  '/news': view(() => import('../news/screen.tsx').then(({ News }) => News), 'news'),
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
