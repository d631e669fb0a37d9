import type { StatementRow } from '../../../api/authority/contract.ts';
import { t } from '../../lib/i18n/i18n.ts';
import { sentenceOf } from '../../lib/authority/words.ts';
import { newest, targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    statements: StatementRow;
  }
}

/** A statement is called by its number and by what it says. */
export const statementTarget = targetOf('statements', ({ statement }) => `#${statement.number} ${sentenceOf(statement)}`);

export const records = {
  statements: {
    target: statementTarget,
    place: '/selfCustody/authority',
    read: ({ authority }, ids) => authority.many({ ids }),
    open: 'authority.open',
    by: ['words', 'address', 'hash', 'bitcoin', 'id'],
    find: async ({ authority }, q) => (await authority.list({ ...newest, sort: 'number', filter: { q } })).rows,
    note: ({ state }) => t(`authority.state.${state}`),
  },
} as const satisfies RecordKinds;
