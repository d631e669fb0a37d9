import * as z from 'zod/mini';
import { idSchema, route, textSchema } from '../base.ts';
import { signInAnswer } from './session.ts';

const ofAddress = z.strictObject({ address: textSchema(100) });

const challenge = z.object({ id: idSchema(), message: z.string(), expiresAt: z.string() });
export type WalletChallenge = z.infer<typeof challenge>;

const answer = z.strictObject({ id: idSchema(), signature: z.string().check(z.maxLength(2000)) });

export const bitcoinNetworks = ['mainnet', 'testnet', 'signet', 'regtest'] as const;
export type BitcoinNetwork = (typeof bitcoinNetworks)[number];

const isPublic = { public: true } as const;
const own = { signedIn: true } as const;

export const wallet = {
  network: route
    .meta(isPublic)
    .route({ method: 'GET', path: '/wallet/network' })
    .output(z.object({ network: z.enum(bitcoinNetworks) })),
  /** Accepts any taproot address, so that the answer does not reveal accounts. */
  challenge: route.meta(isPublic).route({ method: 'POST', path: '/wallet/challenge' }).input(ofAddress).output(challenge),
  /** NO_ACCOUNT only after the address is proved. */
  signIn: route.meta(isPublic).route({ method: 'POST', path: '/wallet/session' }).input(answer).output(signInAnswer),
  bindChallenge: route.meta(own).route({ method: 'POST', path: '/wallet/bind/challenge' }).input(ofAddress).output(challenge),
  bindAddress: route
    .meta(own)
    .route({ method: 'POST', path: '/wallet/bind' })
    .input(answer)
    .output(z.object({ walletAddress: z.string() })),
  unbindAddress: route.meta(own).route({ method: 'DELETE', path: '/wallet' }).output(z.object({})),
};
