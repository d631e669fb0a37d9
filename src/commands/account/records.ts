import type { OwnSession, Passkey } from '../../../api/account/contract.ts';
import { browserOf } from '../../lib/user-agent.ts';
import { targetOf, type RecordKinds } from '../engine/resource.ts';

declare module '../../lib/scope.ts' {
  interface Entities {
    ownSessions: OwnSession;
    passkeys: Passkey;
  }
}

export const ownSessionTarget = targetOf('ownSessions', ({ userAgent }) => browserOf(userAgent));
export const passkeyTarget = targetOf('passkeys', ({ name }) => name);

export const records = {
  ownSessions: {
    target: ownSessionTarget,
    place: '/account',
    read: async ({ account }, ids) => (await account.get()).sessions.filter(({ id }) => ids.includes(id)),
  },
  passkeys: {
    target: passkeyTarget,
    place: '/account',
    read: async ({ account }, ids) => (await account.get()).passkeys.filter(({ id }) => ids.includes(id)),
  },
} as const satisfies RecordKinds;
