import * as z from 'zod/mini';
import { idSchema, route, textSchema } from '../base.ts';
import { signInResponse } from './session.ts';

const addressInput = z.strictObject({ address: textSchema(100) });

const challenge = z.object({ id: idSchema(), message: z.string(), expiresAt: z.string() });
export type WalletChallenge = z.infer<typeof challenge>;

const challengeResponse = z.strictObject({ id: idSchema(), signature: z.string().check(z.maxLength(2000)) });

export const bitcoinNetworks = ['mainnet', 'testnet', 'signet', 'regtest'] as const;
export type BitcoinNetwork = (typeof bitcoinNetworks)[number];

const publicMeta = { public: true } as const;
const signedInMeta = { signedIn: true } as const;

export const wallet = {
  network: route
    .meta(publicMeta)
    .route({ method: 'GET', path: '/wallet/network' })
    .output(z.object({ network: z.enum(bitcoinNetworks) })),
  /** Accepts any taproot address, so that the answer does not reveal accounts. */
  challenge: route.meta(publicMeta).route({ method: 'POST', path: '/wallet/challenge' }).input(addressInput).output(challenge),
  /** NO_ACCOUNT only after the address is proved. */
  signIn: route
    .meta(publicMeta)
    .route({ method: 'POST', path: '/wallet/session' })
    .input(challengeResponse)
    .output(signInResponse),
  bindChallenge: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/wallet/bind/challenge' })
    .input(addressInput)
    .output(challenge),
  bindAddress: route
    .meta(signedInMeta)
    .route({ method: 'POST', path: '/wallet/bind' })
    .input(challengeResponse)
    .output(z.object({ walletAddress: z.string() })),
  unbindAddress: route.meta(signedInMeta).route({ method: 'DELETE', path: '/wallet' }).output(z.object({})),
};
