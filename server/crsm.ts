import { failure } from './platform/errors.ts';
import { on } from './platform/implement.ts';

export const crsm = {
  list: on.crsm.list.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  many: on.crsm.many.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  events: on.crsm.events.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  follower: on.crsm.follower.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  updateData: on.crsm.updateData.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  positions: on.crsm.positions.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  manyPositions: on.crsm.manyPositions.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  create: on.crsm.create.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  deposit: on.crsm.deposit.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  withdrawFromSP: on.crsm.withdrawFromSP.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  claimYield: on.crsm.claimYield.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  claimAllCollateralGains: on.crsm.claimAllCollateralGains.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  updateCR: on.crsm.updateCR.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  commitDebtGasCompensation: on.crsm.commitDebtGasCompensation.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  acceptDebtGasCompensation: on.crsm.acceptDebtGasCompensation.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  withdraw: on.crsm.withdraw.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  repay: on.crsm.repay.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  sent: on.crsm.sent.handler(() => {
    throw failure('UNAVAILABLE');
  }),
  call: on.crsm.call.handler(() => {
    throw failure('UNAVAILABLE');
  }),
};
