import { formatBtc } from '../../api/money.ts';
import {
  logVersion,
  type AuthorityBand,
  type AuthorityKey,
  type AuthorityPolicy,
  type LogStatement,
  type Receiver,
} from '../../api/authority/statements.ts';
import { outputOf, type Authority, type Standing } from './authority.ts';
import type { LogProblem } from './replay.ts';
import { rulesAt } from './rules.ts';

// What the log says, in words: for whoever checks it without the panel.

/** Each statement: what it says, who signed it when and with what, from when it is in force. */
export const tellStatements = ({ statements, names }: Authority): string[] =>
  [...statements.values()].flatMap((standing) =>
    tellStatement(standing, (person) => `${names.get(person) ?? 'somebody'} (${person})`),
  );

function tellStatement(
  { statement, hash, number, saidAt, signed, passedAt, from }: Standing,
  name: (person: string) => string,
): string[] {
  const signatures = [...signed].map(
    ([person, { line, at: signedAt, key }]) =>
      `  signed by ${name(person)} at ${time(signedAt)} with ${key ? tellKey(key.key) : 'the key it enrols'}, line ${line}`,
  );
  return [
    `#${number} ${time(saidAt)} ${statement.kind}: ${tellContent(statement)}`,
    `  hash ${hash}`,
    ...signatures,
    ...(statement.kind === 'genesis' ? [] : [`  ${tellEnd(passedAt, from, statement.expires)}`]),
  ];
}

function tellEnd(passedAt: number | null, from: number | null, expires: string): string {
  if (passedAt === null || from === null) return `not enough signed; can be signed until ${expires}`;
  return `enough signed at ${time(passedAt)}; in force from ${time(from)}`;
}

function tellContent(statement: LogStatement): string {
  switch (statement.kind) {
    case 'genesis': {
      const { chainId, network, token, bridge, minter, approvers, development } = statement.content;
      const people = `${approvers.length} ${approvers.length === 1 ? 'key' : 'keys'} of people`;
      return `the log of chain ${chainId} and Bitcoin ${network}, token ${token}, bridge ${bridge}, minter ${minter}, ${people}${development ? '; FOR DEVELOPMENT, worth nothing' : ''}`;
    }
    case 'approver.add': {
      const { person, name, roles, key } = statement.content;
      return `${name} (${person}) may sign${asRoles(roles)} with ${tellKey(key)}`;
    }
    case 'approver.remove':
      return `${statement.content.name} (${statement.content.person}) may not sign any more: ${quoted(statement.content.reason)}`;
    case 'policy.set':
      return tellPolicy(statement.content);
    case 'minter.set':
      return `${statement.content.address} signs mints and proofs of reserve: ${quoted(statement.content.reason)}`;
    case 'custody.add':
      return `${statement.content.address} is ours${statement.content.note === '' ? '' : `: ${quoted(statement.content.note)}`}`;
    case 'custody.remove':
      return `${statement.content.address} is not ours any more: ${quoted(statement.content.reason)}`;
    case 'receiver.add':
      return tellReceiver(statement.content);
    case 'receiver.remove':
      return `nobody receives at ${statement.content.address} any more: ${quoted(statement.content.reason)}`;
    case 'mint.approve': {
      const { satoshi, custody, receiver, policy, authors } = statement.content;
      const written = authors.length === 0 ? '' : `; the deposit was written by ${authors.join(', ')}`;
      return `${formatBtc(BigInt(satoshi))} BTC of ${outputOf(statement.content)}, paid to ${custody}, minted to ${receiver} under rules #${policy}${written}`;
    }
    case 'mint.cancel':
      return `nothing is minted for ${outputOf(statement.content)}: ${quoted(statement.content.reason)}`;
    case 'refund.approve': {
      const { satoshi, account, payout, nonce, policy, authors } = statement.content;
      const written = authors.length === 0 ? '' : `; the withdrawal was written by ${authors.join(', ')}`;
      return `${btc(satoshi)} of ${outputOf(statement.content)} is sent to ${payout} when ${account} asks for it, from nonce ${nonce} on, under rules #${policy}${written}`;
    }
    case 'freeze':
      return `nothing is minted: ${quoted(statement.content.reason)}`;
    case 'unfreeze': {
      const { freeze, difference, reason } = statement.content;
      return `freeze ${freeze} is lifted${difference === '' ? '' : `, its difference being ${quoted(difference)}`}: ${quoted(reason)}`;
    }
  }
}

/** People, rules, addresses and freezes, as the log leaves them. */
export function tellState(authority: Authority, now: number): string[] {
  const { people, policies, minters, custody, receivers, freezes, head, genesis } = authority;
  const current = rulesAt(policies, now);
  const coming = policies.filter(({ from }) => from > now);
  return [
    'People:',
    ...[...people.values()].flatMap(({ person, name, keys }) =>
      keys.map(({ key, roles, from }) => `  ${name} (${person})${asRoles(roles)}: ${tellKey(key)}${since(from, now)}`),
    ),
    `Rules in force (#${current.number}): ${tellPolicy(current.policy)}`,
    ...coming.map(({ number, policy, from }) => `Rules to come (#${number})${since(from, now)}: ${tellPolicy(policy)}`),
    ...minters
      .filter(({ from }, index) => from > now || (minters[index + 1]?.from ?? Infinity) > now)
      .map(({ address, from }) => `Minter: ${address}${since(from, now)}`),
    `Custody addresses on ${genesis.network}:`,
    ...[...custody].map(([address, from]) => `  ${address}${since(from, now)}`),
    'Receivers:',
    ...[...receivers.values()].flatMap((listed) =>
      listed.map(({ receiver, from }) => `  ${tellReceiver(receiver)}${since(from, now)}`),
    ),
    freezes.size === 0
      ? 'Freezes: none'
      : `FROZEN: ${[...freezes].map(([id, { reason }]) => `#${id} ${quoted(reason)}`).join('; ')}`,
    `Head: line ${head.number}, ${head.hash}`,
  ];
}

function tellReceiver({ address, institution, custody, payout }: Receiver): string {
  const from = custody.length === 0 ? '' : `, pays in to ${custody.join(', ')}`;
  return `${institution}: ${address}${from}${payout.length === 0 ? '' : `, is paid out to ${payout.join(', ')}`}`;
}

function tellPolicy({ root, coolingSeconds, receivers, bands, refundBands }: AuthorityPolicy): string {
  const to = receivers === 'listed' ? 'listed receivers only' : 'ANY receiver';
  const mints = bands.map(tellBand).join('; ') || 'nothing is minted';
  const refunds = refundBands.map(tellBand).join('; ') || 'nothing is sent out';
  return `${root} change rules, people and addresses; cooling ${coolingSeconds} s; ${to}; mints: ${mints}; refunds: ${refunds}`;
}

function tellBand({ from, below, approvals, role, perDay, delaySeconds }: AuthorityBand): string {
  const range = `from ${btc(from)}${below === null ? ' on' : ` to below ${btc(below)}`}`;
  const who = `${approvals} ${role === null ? 'approve' : `of role ${quoted(role)} approve`}`;
  return `${range}: ${who}${perDay === null ? '' : `, ${btc(perDay)} a day`}${delaySeconds === 0 ? '' : `, after ${delaySeconds} s`}`;
}

function tellKey(key: AuthorityKey): string {
  if (key.type === 'wallet') return `wallet ${key.address}`;
  return `${key.type === 'passkey' ? 'passkey' : 'SOFTWARE KEY'} …${key.publicKey.slice(-12)}`;
}

const btc = (satoshi: string) => `${formatBtc(BigInt(satoshi))} BTC`;
const asRoles = (roles: readonly string[]) => (roles.length === 0 ? '' : ` as ${roles.join(', ')}`);
const quoted = (text: string) => JSON.stringify(text);
const time = (at: number) => (at > -Infinity && at < Infinity ? new Date(at).toISOString() : 'no time');
const since = (from: number, now: number) => (from > now ? ` FROM ${time(from)}` : '');

/** What is wrong with a line, in words. */
export const problemWords: Readonly<Record<LogProblem, string>> = {
  FORM: 'it is no line, or not in canonical form',
  VERSION: `it is of another version of the log than ${logVersion}, which this reader reads`,
  GENESIS: 'the log begins otherwise than it was pinned',
  ORDER: 'its number, time or the hash of the line before is not what follows',
  FUTURE: 'its time is later than the clock of this machine',
  OTHER_LOG: 'it was signed for another log, or after a line that is not in this one',
  UNKNOWN_STATEMENT: 'it signs what is not in the log',
  NOT_APPROVER: 'who signs may not, or not yet, or not any more',
  TWICE: 'the same person signed before, or the same statement came before',
  LATE: 'it was signed after the statement expired',
  AUTHOR: 'someone who wrote the deposit or the withdrawal signs for it',
  LIMIT: 'who signs has too many statements, or another freeze, open',
  NAME: 'it calls somebody by a name that is another’s, or looks like it',
  ADDRESS: 'an address is of another network, or not in its one spelling',
  FORBIDDEN: 'an address is the zero address, the token, the bridge or the minter',
  TAKEN: 'another entry holds an address',
  CONTENT: 'what it says cannot be',
  KEY: 'it is signed with another key than the person’s',
  SOFTWARE: 'it is signed with a software key',
  CHALLENGE: 'the passkey signed something else',
  ORIGIN: 'the passkey was asked by another page',
  RP: 'the passkey was asked by another domain',
  NOT_VERIFIED: 'the passkey did not verify who holds it',
  SIGNATURE: 'the signature is wrong',
};
