import { formatBtc, formatUnits } from '../../api/money.ts';
import {
  logVersion,
  type AuthorityBand,
  type AuthorityKey,
  type AuthorityPolicy,
  type LogStatement,
  type Receiver,
} from '../../api/authority/statements.ts';
import { outputKey, type Authority, type StatementStatus } from './authority.ts';
import type { LogProblem } from './replay.ts';
import { rulesAt } from './rules.ts';

export const formatStatements = ({ statements, names }: Authority): string[] =>
  [...statements.values()].flatMap((status) =>
    formatStatement(status, (person) => `${names.get(person) ?? 'unknown person'} (${person})`),
  );

function formatStatement(
  { statement, hash, number, loggedAt, signed, passedAt, from }: StatementStatus,
  name: (person: string) => string,
): string[] {
  const signatures = [...signed].map(
    ([person, { line, at: signedAt, key }]) =>
      `  signed by ${name(person)} at ${formatInstant(signedAt)} with ${key ? formatKey(key.key) : 'the key being enrolled'}, line ${line}`,
  );
  return [
    `#${number} ${formatInstant(loggedAt)} ${statement.kind}: ${formatContent(statement)}`,
    `  hash ${hash}`,
    ...signatures,
    ...(statement.kind === 'genesis' ? [] : [`  ${formatExpiry(passedAt, from, statement.expires)}`]),
  ];
}

function formatExpiry(passedAt: number | null, from: number | null, expires: string): string {
  if (passedAt === null || from === null) return `awaiting signatures until ${expires}`;
  return `fully signed at ${formatInstant(passedAt)}, in force from ${formatInstant(from)}`;
}

function formatContent(statement: LogStatement): string {
  switch (statement.kind) {
    case 'genesis': {
      const { chainId, network, token, bridge, minter, approvers, development } = statement.content;
      const keys = `${approvers.length} ${approvers.length === 1 ? 'key' : 'keys'}`;
      return `log for chain ${chainId} and Bitcoin ${network}, token ${token}, bridge ${bridge}, minter ${minter}, ${keys}${development ? ' (DEVELOPMENT LOG, no real value)' : ''}`;
    }
    case 'approver.add': {
      const { person, name, roles, key } = statement.content;
      return `${name} (${person}) can sign${formatRoles(roles)} with ${formatKey(key)}`;
    }
    case 'approver.remove':
      return `${statement.content.name} (${statement.content.person}) can no longer sign: ${quoteText(statement.content.reason)}`;
    case 'policy.set':
      return formatPolicy(statement.content);
    case 'minter.set':
      return `the minter is ${statement.content.address}: ${quoteText(statement.content.reason)}`;
    case 'custody.add':
      return `add custody address ${statement.content.address}${statement.content.note === '' ? '' : `: ${quoteText(statement.content.note)}`}`;
    case 'custody.remove':
      return `remove custody address ${statement.content.address}: ${quoteText(statement.content.reason)}`;
    case 'receiver.add':
      return formatReceiver(statement.content);
    case 'receiver.remove':
      return `remove receiver ${statement.content.address}: ${quoteText(statement.content.reason)}`;
    case 'mint.approve': {
      const { satoshi, custody, receiver, policy, authors } = statement.content;
      const recordedBy = authors.length === 0 ? '' : `, deposit recorded or edited by ${authors.join(', ')}`;
      return `mint ${formatBtc(BigInt(satoshi))} YBTC to ${receiver} for output ${outputKey(statement.content)} paid to ${custody}, under rules #${policy}${recordedBy}`;
    }
    case 'mint.cancel':
      return `cancel the mint for output ${outputKey(statement.content)}: ${quoteText(statement.content.reason)}`;
    case 'refund.approve': {
      const { satoshi, account, payout, nonce, policy, authors } = statement.content;
      const recordedBy = authors.length === 0 ? '' : `, withdrawal recorded or edited by ${authors.join(', ')}`;
      return `refund ${formatBtcWithUnit(satoshi)} of output ${outputKey(statement.content)} to ${payout} at the request of ${account}, from nonce ${nonce}, under rules #${policy}${recordedBy}`;
    }
    case 'freeze':
      return `freeze minting: ${quoteText(statement.content.reason)}`;
    case 'unfreeze': {
      const { freeze, difference, reason } = statement.content;
      return `lift freeze ${freeze}${difference === '' ? '' : ` and accept the difference ${quoteText(difference)}`}: ${quoteText(reason)}`;
    }
  }
}

export function formatState(authority: Authority, now: number): string[] {
  const { people, policies, minters, custody, receivers, freezes, head, genesis } = authority;
  const currentRules = rulesAt(policies, now);
  const upcomingRules = policies.filter(({ from }) => from > now);
  return [
    'Approvers:',
    ...[...people.values()].flatMap(({ person, name, keys }) =>
      keys.map(
        ({ key, roles, from }) => `  ${name} (${person})${formatRoles(roles)}: ${formatKey(key)}${formatStart(from, now)}`,
      ),
    ),
    `Rules in force (#${currentRules.number}): ${formatPolicy(currentRules.policy)}`,
    ...upcomingRules.map(
      ({ number, policy, from }) => `Upcoming rules (#${number})${formatStart(from, now)}: ${formatPolicy(policy)}`,
    ),
    ...minters
      .filter(({ from }, index) => from > now || (minters[index + 1]?.from ?? Infinity) > now)
      .map(({ address, from }) => `Minter: ${address}${formatStart(from, now)}`),
    `Custody addresses on ${genesis.network}:`,
    ...[...custody].map(([address, from]) => `  ${address}${formatStart(from, now)}`),
    'Receivers:',
    ...[...receivers.values()].flatMap((receiverEntries) =>
      receiverEntries.map(({ receiver, from }) => `  ${formatReceiver(receiver)}${formatStart(from, now)}`),
    ),
    freezes.size === 0
      ? 'Freezes: none'
      : `FROZEN: ${[...freezes].map(([id, { reason }]) => `#${id} ${quoteText(reason)}`).join(', ')}`,
    `Head: line ${head.number}, ${head.hash}`,
  ];
}

function formatReceiver({ address, institution, custody, payout }: Receiver): string {
  const from = custody.length === 0 ? '' : `, dedicated custody ${custody.join(', ')}`;
  return `${institution}: ${address}${from}${payout.length === 0 ? '' : `, payout ${payout.join(', ')}`}`;
}

function formatPolicy({ root, coolingSeconds, receivers, bands, refundBands }: AuthorityPolicy): string {
  const changes = `changing rules, people or addresses takes ${signatures(root)}`;
  const receiverText = receivers === 'listed' ? 'only listed receivers' : 'ANY receiver';
  const mints = bands.length === 0 ? 'No amount can be minted' : `Mints: ${bands.map(formatBand).join(', ')}`;
  const refundText =
    refundBands.length === 0 ? 'No amount can be refunded' : `Refunds: ${refundBands.map(formatBand).join(', ')}`;
  return `${changes}, cooling time ${coolingSeconds} s, ${receiverText}. ${mints}. ${refundText}`;
}

function formatBand({ from, below, approvals, role, perDay, delaySeconds }: AuthorityBand): string {
  const range =
    below === null ? `${formatShortBtc(from)} BTC or more` : `${formatShortBtc(from)} to less than ${formatShortBtc(below)} BTC`;
  const conditions = [
    `${signatures(approvals)}${role === null ? '' : ` of role ${quoteText(role)}`}`,
    ...(perDay === null ? [] : [`at most ${formatShortBtc(perDay)} BTC per day`]),
    ...(delaySeconds === 0 ? [] : [`${delaySeconds} s delay`]),
  ];
  return `${range} (${conditions.join(', ')})`;
}

const signatures = (count: number) => `${count} ${count === 1 ? 'signature' : 'signatures'}`;
const formatShortBtc = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

function formatKey(key: AuthorityKey): string {
  if (key.type === 'wallet') return `wallet ${key.address}`;
  return `${key.type === 'passkey' ? 'passkey' : 'SOFTWARE KEY'} …${key.publicKey.slice(-12)}`;
}

const formatBtcWithUnit = (satoshi: string) => `${formatBtc(BigInt(satoshi))} BTC`;
const formatRoles = (roles: readonly string[]) => (roles.length === 0 ? '' : ` as ${roles.join(', ')}`);
const quoteText = (text: string) => JSON.stringify(text);
const formatInstant = (instant: number) =>
  instant > -Infinity && instant < Infinity ? new Date(instant).toISOString() : 'no time';
const formatStart = (from: number, now: number) => (from > now ? ` FROM ${formatInstant(from)}` : '');

export const logProblemTexts: Readonly<Record<LogProblem, string>> = {
  FORM: 'not a log line in canonical form',
  VERSION: `written for another version of the log than version ${logVersion}`,
  GENESIS: 'the first line isn’t the pinned genesis',
  ORDER: 'number, time or previous hash doesn’t match the previous line',
  FUTURE: 'the time is later than the clock of this machine',
  OTHER_LOG: 'signed for another log or after a line that isn’t in this log',
  UNKNOWN_STATEMENT: 'the signed statement isn’t in the log',
  NOT_APPROVER: 'the signer isn’t an active approver at that time',
  TWICE: 'the statement is already in the log, or this person has already signed it',
  LATE: 'signed after the statement expired',
  AUTHOR: 'the signer recorded or edited the deposit or withdrawal',
  LIMIT: 'the signer has too many open statements or another open freeze',
  NAME: 'a name belongs to someone else or is too similar to another name',
  ADDRESS: 'an address is on another network or not in canonical form',
  FORBIDDEN: 'an address is the zero address, the token, the bridge or the minter',
  TAKEN: 'an address belongs to another entry',
  CONTENT: 'the content contradicts the log or the rules',
  KEY: 'signed with a key that isn’t the person’s',
  SOFTWARE: 'signed with a software key outside a development log',
  CHALLENGE: 'the passkey signed a different statement',
  ORIGIN: 'the passkey signed for another origin',
  RP: 'the passkey signed for another domain (RP ID)',
  NOT_VERIFIED: 'the passkey didn’t verify its holder',
  SIGNATURE: 'the signature is invalid',
};
