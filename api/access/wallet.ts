import * as z from 'zod/mini';
import { id, route, text } from '../base.ts';
import { signInAnswer } from './session.ts';

const ofAddress = z.strictObject({ address: text(100) });

/** A one-time message for the wallet to sign; whoever answers with the signature names it by its id. */
const challenge = z.object({ id: id(), message: z.string(), expiresAt: z.string() });
export type WalletChallenge = z.infer<typeof challenge>;

/** Whatever a wallet answers; what it must look like is the verifier's to say. */
const answer = z.strictObject({ id: id(), signature: z.string().check(z.maxLength(2000)) });

/** The networks the server knows; testnet and signet spell their addresses alike. */
export const bitcoinNetworks = ['mainnet', 'testnet', 'signet', 'regtest'] as const;
export type BitcoinNetwork = (typeof bitcoinNetworks)[number];

const isPublic = { public: true } as const;
const own = { signedIn: true } as const;

export const wallet = {
  /** The network whose addresses sign in here. */
  network: route
    .meta(isPublic)
    .route({ method: 'GET', path: '/wallet/network' })
    .output(z.object({ network: z.enum(bitcoinNetworks) })),
  /** For any taproot address of the network, bound or not: the answer tells nothing of who has it. */
  challenge: route.meta(isPublic).route({ method: 'POST', path: '/wallet/challenge' }).input(ofAddress).output(challenge),
  /** NO_ACCOUNT only to who has shown that the address is theirs. A challenge goes once, whatever the answer. */
  signIn: route.meta(isPublic).route({ method: 'POST', path: '/wallet/session' }).input(answer).output(signInAnswer),
  bindChallenge: route.meta(own).route({ method: 'POST', path: '/wallet/bind/challenge' }).input(ofAddress).output(challenge),
  bindAddress: route
    .meta(own)
    .route({ method: 'POST', path: '/wallet/bind' })
    .input(answer)
    .output(z.object({ walletAddress: z.string() })),
  unbindAddress: route.meta(own).route({ method: 'DELETE', path: '/wallet' }).output(z.object({})),
};
