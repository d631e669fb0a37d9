import { institutionFilters } from '../../../api/custody/filters.ts';
import type { InstitutionRow } from '../../../api/custody/contract.ts';
import { institutionTarget } from '../../commands/custody/commands.ts';
import { useAddressName } from '../../lib/authority/address-name.ts';
import { api } from '../../lib/net/client.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { Address } from '../../lib/ui/value/address.tsx';
import { NamedAddress } from '../../lib/ui/value/named-address.tsx';
import { Amount, Percent } from '../../lib/money/amount.tsx';
import type { Column } from '../../lib/ui/list/table/columns.ts';
import { createFilters } from '../../lib/ui/list/filter/filters.ts';
import { useList } from '../../lib/ui/list/use-list.ts';
import { TimeText } from '../../lib/ui/value/time.tsx';
import { defineList, RecordList, timeColumn } from '../layout/list-screen.tsx';

type ChainFigure = 'collateral' | 'debt' | 'yuInPool' | 'yuInWallet' | 'ybtcInWallet' | 'claimableYbtc' | 'claimableYu';

const chainColumn = (
  id: ChainFigure,
  unit: 'YBTC' | 'YU',
  overrides: Partial<Column<InstitutionRow>> = {},
): Column<InstitutionRow> => ({
  id,
  header: `dataPanel.field.${id}`,
  unit,
  width: 124,
  align: 'end',
  cell: ({ chain }) => (
    <Amount value={chain?.[id] ?? null} places={18} show={unit === 'YBTC' ? 8 : 2} round={id === 'debt' ? 'up' : 'down'} />
  ),
  ...overrides,
});

const keeperColumn = (id: 'trigger' | 'target' | 'maxTarget'): Column<InstitutionRow> => ({
  id,
  header: `dataPanel.field.${id}`,
  width: id === 'trigger' ? 92 : 112,
  align: 'end',
  ...(id === 'maxTarget' && { below: 'target' }),
  cell: ({ crsm }) => (crsm ? <Percent value={crsm[id]} round="up" /> : <NoFigure />),
});

const NoFigure = () => <span className="text-2">{t('dataPanel.noneThere')}</span>;

/** The panel's name, else the address book's. */
function InstitutionName({ row: { name, address } }: { row: InstitutionRow }) {
  const bookName = useAddressName(name ? '' : address);
  const shownName = name || bookName;
  return shownName ? (
    <span data-book-name={name ? undefined : ''} className="truncate font-medium">
      {shownName}
    </span>
  ) : (
    <span className="text-2">{t('dataPanel.unnamed')}</span>
  );
}

/** The first address and the total count. */
function FirstAddress({ addresses, count }: { addresses: readonly string[]; count: number }) {
  const [firstAddress] = addresses;
  if (firstAddress === undefined) return <NoFigure />;
  return (
    <span className="flex items-baseline gap-1.5">
      <NamedAddress value={firstAddress} />
      {count > 1 && <span className="text-meta text-2">{t('dataPanel.and', { count })}</span>}
    </span>
  );
}

const columns: readonly Column<InstitutionRow>[] = [
  {
    id: 'name',
    header: 'dataPanel.field.name',
    width: 128,
    grow: 1,
    fixed: true,
    sort: 'name',
    cell: (row) => <InstitutionName row={row} />,
  },
  {
    id: 'address',
    header: 'dataPanel.field.address',
    width: 132,
    card: 'state',
    sort: 'address',
    cell: ({ name, address }) => (name ? <NamedAddress value={address} /> : <Address value={address} />),
  },
  {
    id: 'crsm',
    header: 'dataPanel.field.crsm',
    width: 132,
    below: 'address',
    cell: ({ crsm }) => (crsm ? <Address value={crsm.address} /> : <NoFigure />),
  },
  {
    id: 'account',
    header: 'dataPanel.field.account',
    width: 148,
    cell: ({ custodians, custodianCount }) => <FirstAddress addresses={custodians} count={custodianCount} />,
  },
  {
    id: 'multisig',
    header: 'dataPanel.field.multisig',
    width: 148,
    below: 'account',
    cell: ({ multisigs, multisigCount }) => <FirstAddress addresses={multisigs} count={multisigCount} />,
  },
  {
    id: 'btc',
    header: 'dataPanel.field.btc',
    unit: 'BTC',
    width: 128,
    card: 'worth',
    align: 'end',
    cell: ({ btc }) => <Amount value={btc} places={8} />,
  },
  {
    id: 'pendingBtc',
    header: 'dataPanel.field.pendingBtc',
    unit: 'BTC',
    width: 128,
    below: 'btc',
    align: 'end',
    cell: ({ pendingBtc }) => <Amount value={pendingBtc} places={8} />,
  },
  chainColumn('collateral', 'YBTC', { card: 'note', width: 152 }),
  chainColumn('debt', 'YU', { width: 152, below: 'collateral' }),
  chainColumn('yuInPool', 'YU'),
  chainColumn('yuInWallet', 'YU', { below: 'yuInPool' }),
  chainColumn('claimableYbtc', 'YBTC', { width: 128 }),
  chainColumn('claimableYu', 'YU', { width: 128, below: 'claimableYbtc' }),
  chainColumn('ybtcInWallet', 'YBTC', { hidden: true }),
  keeperColumn('trigger'),
  keeperColumn('target'),
  keeperColumn('maxTarget'),
  {
    id: 'readAt',
    header: 'dataPanel.field.readAt',
    width: 152,
    hidden: true,
    cell: ({ chain, readAt }) => <TimeText iso={chain?.at ?? readAt} />,
  },
  timeColumn('createdAt', 'dataPanel.field.createdAt', { sort: 'createdAt', hidden: true }),
];

const institutions = defineList({
  resource: 'institutions',
  words: { title: 'dataPanel.institutions', none: 'dataPanel.none', empty: 'dataPanel.empty' },
  sorts: ['createdAt', 'name', 'address'],
  defaultSort: { by: 'createdAt', direction: 'desc' },
  filters: createFilters(institutionFilters, {
    q: { label: 'list.search', placeholder: 'dataPanel.search' },
    createdAt: { label: 'dataPanel.field.createdAt' },
  }),
  list: api.dataPanel.list,
  columns,
  toTarget: institutionTarget,
  open: 'dataPanel.open',
  copies: ({ id }) => id,
});

export const Institutions = () => <RecordList of={institutions} list={useList(institutions.options)} />;
