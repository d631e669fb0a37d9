import type { CrsmCall, CrsmEvent, CrsmRow, PositionRow } from '../../api/crsm/contract.ts';
import { noDebtRatio, type CrsmAction } from '../../api/crsm/values.ts';
import type { Services } from '../platform/services/context.ts';
import { toServerTime } from '../platform/evm/clock.ts';
import { isOutdatedAt, type FiguresAge } from './shared/figures-age.ts';
import type { crsmCalls, crsmEvents, crsms, troves } from './tables.ts';

export type CrsmRecord = typeof crsms.$inferSelect;
export type TroveRecord = typeof troves.$inferSelect;
export type CrsmCallRow = typeof crsmCalls.$inferSelect;

const presentFigures = (row: CrsmRecord | TroveRecord, figuresAge: FiguresAge) => ({
  troveManager: row.troveManager,
  troveId: row.troveId.toString(),
  collateral: row.collateral.toString(),
  debt: row.debt.toString(),
  interest: row.interest.toString(),
  icr: row.icr === noDebtRatio ? null : row.icr.toString(),
  liquidationPrice: row.liquidationPrice.toString(),
  MCR: row.MCR.toString(),
  price: row.price.toString(),
  block: (row.block ?? 0n).toString(),
  at: (row.readAt ?? new Date(0)).toISOString(),
  stale: isOutdatedAt(figuresAge, row.block),
});

export const presentCrsm =
  (services: Services, figuresAge: FiguresAge) =>
  (row: CrsmRecord): CrsmRow => ({
    id: row.id,
    version: 1,
    tokenId: row.tokenId.toString(),
    owner: row.owner,
    ...presentFigures(row, figuresAge),
    TRGCR: row.TRGCR.toString(),
    TARCR: row.TARCR.toString(),
    MAX_TARCR: row.MAX_TARCR.toString(),
    debtGasCompensation: row.debtGasCompensation.toString(),
    pendingDebtGasCompensation: row.pendingDebtGasCompensation.toString(),
    deadline: row.deadline ? toServerTime(services, row.deadline) : null,
    deposits: row.deposits.toString(),
    yieldGains: row.yieldGains.toString(),
    debtTokenBalance: row.debtTokenBalance.toString(),
    collateralGains: JSON.parse(row.collateralGains) as CrsmRow['collateralGains'],
    distance: row.icr === noDebtRatio ? null : row.distance.toString(),
    isTrovesOwner: row.isTrovesOwner,
    createdAt: row.createdAt.toISOString(),
  });

export const presentPosition = (
  services: Services,
  figuresAge: FiguresAge,
  row: TroveRecord,
  crsm: CrsmRecord | undefined,
): PositionRow => ({
  id: row.id,
  version: 1,
  owner: row.owner,
  ...presentFigures(row, figuresAge),
  crsm: crsm ? presentCrsm(services, figuresAge)(crsm) : null,
  openedAt: row.openedAt.toISOString(),
});

export const presentEvent = ({ id, name, args, hash, block, at }: typeof crsmEvents.$inferSelect): CrsmEvent => ({
  id,
  name,
  args: JSON.parse(args) as CrsmEvent['args'],
  hash,
  block: block.toString(),
  at: at.toISOString(),
});

export const presentCall = (row: CrsmCallRow): CrsmCall => ({
  id: row.id,
  action: row.action as CrsmAction,
  crsm: row.crsm,
  state: row.state,
  chainId: row.chainId,
  from: row.from,
  to: row.to,
  data: row.data,
  functionName: row.functionName,
  args: JSON.parse(row.args) as CrsmCall['args'],
  hash: row.hash,
  by: row.administratorEmail,
  at: row.createdAt.toISOString(),
});

/** The audit files a call under its CRSM, or under the position before there is one. */
export function crsmState(call: CrsmCallRow): string {
  if (call.crsm !== null) return call.crsm;
  const args = JSON.parse(call.args) as CrsmCall['args'];
  return `${args[0]?.value}-${args[1]?.value}`;
}
