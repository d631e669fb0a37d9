import type { CommandId } from '../../../../api/names.ts';
import type { RoutePath } from '../../../../api/menu.ts';
import type { Api } from '../../../lib/net/client.ts';
import { formatTime } from '../../../lib/format.ts';
import { queryClient } from '../../../lib/net/query.ts';
import type { Entities, EntityName, Target } from '../../../lib/scope.ts';
import { crsmTarget, positionTarget } from '../../crsm/target.ts';
import { depositTarget } from '../../deposits/target.ts';
import { administratorTarget, auditTarget, loaders, nodeTarget, roleTarget } from '../../app/entities.ts';
import { feedbackTarget } from '../../feedback/target.ts';
import { institutionTarget } from '../../custody/target.ts';
import { newsTarget } from '../../news/target.ts';
import { noticeTarget } from '../../notices/target.ts';
import { airdropTarget, balanceTarget, grouped } from '../../rewards/targets.ts';
import { teamTarget, vaultTarget, walletConnectionTarget } from '../../statistics/target.ts';
import { withdrawalTarget } from '../../withdrawals/target.ts';
import type { Asked, Clue } from './clues.ts';

/** How one kind of record is looked for. */
interface Searcher<E extends EntityName> {
  /** The screen it belongs to: who may open that may look for it. */
  place: RoutePath;
  /** The command that opens one; without it, choosing one shows its commands. */
  open?: CommandId;
  /** What it is found by, besides `id`, which is read as commands read their targets. */
  by: readonly Clue[];
  find?: (api: Api, text: string, clues: readonly Clue[]) => Promise<Target<E>[]>;
  /** What tells one from another of its name. */
  note?: (row: Entities[E]) => string;
}

const most = 5;
const newest = { sort: 'createdAt', direction: 'desc', cursor: null, limit: most } as const;

/** In the order in which they are asked and shown: those that read the chain come last. */
export const searchers: { readonly [E in EntityName]?: Searcher<E> } = {
  balances: {
    place: '/points',
    open: 'balances.open',
    by: ['address'],
    find: async ({ points }, address) =>
      (await points.balances({ ...newest, sort: 'updatedAt', filter: { address } })).rows.map(balanceTarget),
    note: ({ berries }) => grouped(berries),
  },
  news: {
    place: '/news',
    open: 'news.open',
    by: ['words', 'id'],
    find: async ({ news }, q) => (await news.list({ ...newest, sort: 'time', filter: { q } })).rows.map(newsTarget),
    note: ({ time }) => formatTime(time),
  },
  feedback: {
    place: '/feedback',
    open: 'feedback.open',
    by: ['words', 'email', 'id'],
    find: async ({ feedback }, text, clues) =>
      (await feedback.list({ ...newest, filter: clues.includes('email') ? { email: text } : { q: text } })).rows.map(
        feedbackTarget,
      ),
    note: ({ createdAt }) => formatTime(createdAt),
  },
  notices: {
    place: '/notices',
    open: 'notices.open',
    by: ['words', 'id'],
    find: async ({ notices }, q) => (await notices.list({ ...newest, filter: { q } })).rows.map(noticeTarget),
    note: ({ createdAt }) => formatTime(createdAt),
  },
  administrators: {
    place: '/permissions/administrator',
    open: 'administrators.open',
    by: ['words', 'email', 'id'],
    find: async ({ administrators }, q) =>
      (await administrators.list({ ...newest, filter: { q } })).rows.map(administratorTarget),
    note: ({ description }) => description,
  },
  roles: {
    place: '/permissions/role',
    open: 'roles.open',
    by: ['words', 'id'],
    find: async ({ roles }, q) => (await roles.list({ ...newest, filter: { q } })).rows.map(roleTarget),
    note: ({ description }) => description,
  },
  permissions: {
    place: '/permissions/permission',
    by: ['words', 'id'],
    find: async ({ permissions }, text) => {
      const q = text.toLowerCase();
      // With the signal of the cache: the screen may come to wait for the same answer.
      const queryFn = ({ signal }: { signal: AbortSignal }) => permissions.tree(undefined, { signal });
      const nodes = await queryClient.fetchQuery({ queryKey: ['permissions', 'tree'], queryFn });
      const fits = ({ zh, en, identifier }: (typeof nodes)[number]) =>
        [zh, en, identifier].some((name) => name.toLowerCase().includes(q));
      return nodes.filter(fits).slice(0, most).map(nodeTarget);
    },
    note: ({ identifier }) => identifier,
  },
  airdrops: {
    place: '/NFTAirdrop',
    open: 'airdrops.open',
    by: ['address', 'id'],
    find: async ({ airdrops }, address) => (await airdrops.list({ ...newest, filter: { address } })).rows.map(airdropTarget),
    note: ({ stage, nftLevel }) => `${stage} · ${nftLevel}`,
  },
  points: { place: '/points', open: 'points.open', by: ['id'] },
  deposits: {
    place: '/selfCustody/deposit',
    open: 'deposits.open',
    by: ['address', 'hash', 'bitcoin', 'id'],
    find: async ({ deposits }, q) => (await deposits.list({ ...newest, filter: { q } })).rows.map(depositTarget),
    note: ({ userAddress }) => userAddress,
  },
  withdrawals: {
    place: '/selfCustody/withdraw',
    open: 'withdrawals.open',
    by: ['address', 'hash', 'bitcoin', 'id'],
    find: async ({ withdrawals }, text, clues) => {
      const isHash = clues.includes('hash') && !clues.includes('address');
      const filter = isHash
        ? { hash: text.replace(/:\d+$/, '') }
        : clues.includes('bitcoin')
          ? { receiver: text }
          : { address: text };
      return (await withdrawals.list({ ...newest, filter })).rows.map(withdrawalTarget);
    },
    note: ({ address }) => address,
  },
  audit: {
    place: '/audit',
    open: 'audit.open',
    by: ['id'],
    find: async ({ audit }, entityId) =>
      (await audit.list({ ...newest, sort: 'time', filter: { entityId } })).rows.map(auditTarget),
  },
  teams: {
    place: '/statistics/datacaptain',
    open: 'teams.open',
    by: ['wholeAddress', 'id'],
    find: async ({ teams }, address) =>
      (await teams.list({ ...newest, sort: 'updatedAt', filter: { address } })).rows.map(teamTarget),
  },
  walletConnections: {
    place: '/statistics/dataWallet',
    open: 'walletConnections.open',
    by: ['wholeAddress', 'id'],
    find: async ({ walletConnections }, address) =>
      (await walletConnections.list({ ...newest, sort: 'lastAt', filter: { address } })).rows.map(walletConnectionTarget),
  },
  draws: { place: '/statistics/data0penBox', open: 'draws.open', by: ['id'] },
  visits: { place: '/statistics/dataView', open: 'visits.open', by: ['id'] },
  vaults: {
    place: '/statistics/dataVault',
    open: 'vaults.open',
    by: ['wholeAddress'],
    find: async ({ vaults }, address) => (await vaults.list({ ...newest, filter: { address } })).rows.map(vaultTarget),
  },
  institutions: {
    place: '/selfCustody/dataPanel',
    open: 'dataPanel.open',
    by: ['words', 'address'],
    find: async ({ dataPanel }, q) => (await dataPanel.list({ ...newest, filter: { q } })).rows.map(institutionTarget),
  },
  crsms: {
    place: '/CRSMTrove/CRSMList',
    open: 'crsm.open',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.list({ ...newest, filter: { q } })).rows.map(crsmTarget),
  },
  positions: {
    place: '/CRSMTrove/positionList',
    open: 'crsm.openPosition',
    by: ['address'],
    find: async ({ crsm }, q) => (await crsm.positions({ ...newest, sort: 'openedAt', filter: { q } })).rows.map(positionTarget),
  },
};

export const noteOf = ({ entity, row }: Target): string => searchers[entity]?.note?.(row as never) ?? '';

/** One question to the server, whose records stand together. */
export interface Search {
  entity: EntityName;
  find: (api: Api) => Promise<readonly Target[]>;
}

/** What to ask for a text, of whoever may open these places: only where records are known by such a text. */
export function searchesFor({ text, clues }: Asked, mayOpen: (place: RoutePath) => boolean): Search[] {
  return (Object.entries(searchers) as [EntityName, Searcher<EntityName>][])
    .filter(([, { place, by }]) => mayOpen(place) && by.some((clue) => clues.includes(clue)))
    .map(([entity, { find }]) => ({
      entity,
      find: async (api) => {
        // An entry of the log is found by the record it is about as well, also when that is long gone.
        const own = clues.includes('id') ? await loaders[entity](api, [text]) : [];
        if (own.length > 0 || !find || (clues.includes('id') && entity !== 'audit')) return own;
        return find(api, text, clues);
      },
    }));
}
