import type { InstitutionRow } from '../../../api/custody/contract.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    institutions: InstitutionRow;
  }
}

export const institutionTarget = targetOf('institutions', ({ name, address }) => (name ? `${name} ${address}` : address));

export const records = {
  institutions: {
    target: institutionTarget,
    place: '/selfCustody/dataPanel',
    read: ({ dataPanel }, addresses) => dataPanel.many({ addresses }),
    open: 'dataPanel.open',
    by: ['words', 'address'],
    find: async ({ dataPanel }, q) => (await dataPanel.list({ ...newest, filter: { q } })).rows,
  },
} as const satisfies RecordKinds;
