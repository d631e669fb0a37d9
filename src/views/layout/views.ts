// Made by npm run lists from the folders of the features: not by hand.
import type { ComponentType } from 'react';
import type { ScreenPath } from '../../../api/menu.ts';

/** One file for several screens. */
const statistics = () => import('../statistics/screen.tsx').then(({ Statistics }) => Statistics);

/** A screen without an entry does not compile. */
export const views: Readonly<Record<ScreenPath, () => Promise<ComponentType>>> = {
  '/permissions/administrator': () => import('../access/administrators/screen.tsx').then(({ Administrators }) => Administrators),
  '/permissions/role': () => import('../access/roles/screen.tsx').then(({ Roles }) => Roles),
  '/permissions/permission': () => import('../access/permissions/screen.tsx').then(({ Permissions }) => Permissions),
  '/permissions/service': () => import('../access/services/screen.tsx').then(({ ServiceAccounts }) => ServiceAccounts),
  '/permissions/identity': () => import('../access/identity/screen.tsx').then(({ Identity }) => Identity),
  '/account': () => import('../account/screen.tsx').then(({ Account }) => Account),
  '/audit': () => import('../audit/screen.tsx').then(({ Audit }) => Audit),
  '/selfCustody/authority': () => import('../authority/screen.tsx').then(({ AuthorityScreen }) => AuthorityScreen),
  '/CRSMTrove/CRSMList': () => import('../crsm/screen.tsx').then(({ Crsms }) => Crsms),
  '/CRSMTrove/positionList': () => import('../crsm/positions/screen.tsx').then(({ Positions }) => Positions),
  '/selfCustody/dataPanel': () => import('../custody/screen.tsx').then(({ DataPanel }) => DataPanel),
  '/selfCustody/deposit': () => import('../deposits/screen.tsx').then(({ Deposits }) => Deposits),
  '/feedback': () => import('../feedback/screen.tsx').then(({ Feedback }) => Feedback),
  '/': () => import('../home/screen.tsx').then(({ Home }) => Home),
  '/news': () => import('../news/screen.tsx').then(({ News }) => News),
  '/notices': () => import('../notices/screen.tsx').then(({ Notices }) => Notices),
  '/api/docs': () => import('../openapi/screen.tsx').then(({ ApiReference }) => ApiReference),
  '/points': () => import('../rewards/points/screen.tsx').then(({ Points }) => Points),
  '/NFTAirdrop': () => import('../rewards/airdrops/screen.tsx').then(({ Airdrops }) => Airdrops),
  '/overview': () => import('../statistics/overview/screen.tsx').then(({ Overview }) => Overview),
  '/statistics/dataView': statistics,
  '/statistics/dataVault': statistics,
  '/statistics/dataWallet': statistics,
  '/statistics/dataCdp': statistics,
  '/statistics/datacaptain': statistics,
  '/statistics/data0penBox': statistics,
  '/selfCustody/withdraw': () => import('../withdrawals/screen.tsx').then(({ Withdrawals }) => Withdrawals),
};
