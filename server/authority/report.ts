import { formatBtc, formatUnits } from '../../api/money.ts';
import type { AuthorityBand, AuthorityKey, AuthorityPolicy, Statement } from '../../api/authority/statements.ts';
import { rulesAt, outputOf, type Authority, type LogProblem, type Standing } from './replay.ts';

// What the log says, in words: for whoever checks it without the panel.

/** Each statement: what it says, who signed it when and with what, from when it is in force. */
export const tellStatements = ({ statements, people, genesis }: Authority): string[] =>
  [...statements.values()].flatMap((standing) => tellStatement(standing, nameOf({ people, genesis, statements })));

type NameOf = (person: string) => string;

/** What a person is called: by their newest enrolment, also of those who are gone. */
function nameOf({ people, genesis, statements }: Pick<Authority, 'people' | 'genesis' | 'statements'>): NameOf {
  const names = new Map(genesis.approvers.map(({ person, name }) => [person, name]));
  for (const { statement } of statements.values())
    if (statement.kind === 'approver.add') names.set(statement.content.person, statement.content.name);
  for (const { person, name } of people.values()) names.set(person, name);
  return (person) => `${names.get(person) ?? 'unknown person'} (${person})`;
}

function tellStatement({ statement, hash, signed, passedAt, from }: Standing, name: NameOf): string[] {
  const { number, at, kind, by, expires } = statement;
  const signatures = [...signed].map(
    ([person, { line, at: signedAt, key }]) =>
      `  signed by ${name(person)} at ${time(signedAt)} with ${key ? tellKey(key.key) : 'the key being enrolled'}, line ${line}`,
  );
  const end = kind === 'genesis' || kind === 'refund.intent' ? [] : [`  ${tellEnd(passedAt, from, expires)}`];
  return [
    `#${number} ${at} ${kind}: ${tellContent(statement)}`,
    `  hash ${hash}`,
    ...(kind === 'genesis' ? [] : [`  proposed by ${by.name} (${by.person}), unverified`]),
    ...signatures,
    ...end,
  ];
}

function tellEnd(passedAt: number | null, from: number | null, expires: string): string {
  if (passedAt === null || from === null) return `awaiting signatures until ${expires}`;
  return `fully signed at ${time(passedAt)}, in force from ${time(from)}`;
}

function tellContent(statement: Statement): string {
  switch (statement.kind) {
    case 'genesis': {
      const { chainId, network, token, bridge, minter, approvers, development } = statement.content;
      const keys = `${approvers.length} ${approvers.length === 1 ? 'key' : 'keys'}`;
      return `log for chain ${chainId} and Bitcoin ${network}, token ${token}, bridge ${bridge}, minter ${minter}, ${keys}${development ? ' (DEVELOPMENT LOG, no real value)' : ''}`;
    }
    case 'approver.add': {
      const { person, name, roles, key } = statement.content;
      return `${name} (${person}) can sign${asRoles(roles)} with ${tellKey(key)}`;
    }
    case 'approver.remove':
      return `${statement.content.name} (${statement.content.person}) can no longer sign: ${quoted(statement.content.reason)}`;
    case 'policy.set':
      return tellPolicy(statement.content);
    case 'minter.set':
      return `the minter is ${statement.content.address}: ${quoted(statement.content.reason)}`;
    case 'custody.add':
      return `add custody address ${statement.content.address}${statement.content.note === '' ? '' : `: ${quoted(statement.content.note)}`}`;
    case 'custody.remove':
      return `remove custody address ${statement.content.address}: ${quoted(statement.content.reason)}`;
    case 'receiver.add': {
      const { address, institution, custody } = statement.content;
      return `${institution} receives YBTC at ${address}${custody.length === 0 ? '' : ` and pays bitcoin to ${custody.join(', ')}`}`;
    }
    case 'receiver.remove':
      return `remove receiver ${statement.content.address}: ${quoted(statement.content.reason)}`;
    case 'mint.approve': {
      const { satoshi, custody, receiver, policy, authors } = statement.content;
      const written = authors.length === 0 ? '' : `, deposit recorded or edited by ${authors.join(', ')}`;
      return `mint ${formatBtc(BigInt(satoshi))} YBTC to ${receiver} for output ${outputOf(statement.content)} paid to ${custody}, under rules #${policy}${written}`;
    }
    case 'mint.cancel':
      return `cancel the mint for output ${outputOf(statement.content)}: ${quoted(statement.content.reason)}`;
    case 'refund.intent': {
      const { action, satoshi, txid, account, receiver, nonce } = statement.content;
      const of = nonce === null ? '' : `, nonce ${nonce}`;
      return `${account} will ${action} a refund of ${btc(satoshi)} for deposit ${txid} to ${receiver}${of}`;
    }
    case 'freeze':
      return `freeze minting: ${quoted(statement.content.reason)}`;
    case 'unfreeze': {
      const { freeze, difference, reason } = statement.content;
      return `lift freeze ${freeze}${difference === '' ? '' : ` and accept the difference ${quoted(difference)}`}: ${quoted(reason)}`;
    }
  }
}

/** People, rules, addresses and freezes, as the log leaves them. */
export function tellState(authority: Authority, now: number): string[] {
  const { people, policies, minters, custody, receivers, freezes, head, genesis } = authority;
  const current = rulesAt(policies, now);
  const coming = policies.filter(({ from }) => from > now);
  return [
    'Approvers:',
    ...[...people.values()].flatMap(({ person, name, keys }) =>
      keys.map(({ key, roles, from }) => `  ${name} (${person})${asRoles(roles)}: ${tellKey(key)}${since(from, now)}`),
    ),
    `Rules in force (#${current.number}): ${tellPolicy(current.policy)}`,
    ...coming.map(({ number, policy, from }) => `Upcoming rules (#${number})${since(from, now)}: ${tellPolicy(policy)}`),
    ...minters
      .filter(({ from }, index) => from > now || (minters[index + 1]?.from ?? Infinity) > now)
      .map(({ address, from }) => `Minter: ${address}${since(from, now)}`),
    `Custody addresses on ${genesis.network}:`,
    ...[...custody].map(([address, from]) => `  ${address}${since(from, now)}`),
    'Receivers:',
    ...[...receivers.values()].map(
      ({ receiver: { address, institution, custody: own }, from }) =>
        `  ${institution}: ${address}${own.length === 0 ? '' : `, dedicated custody ${own.join(', ')}`}${since(from, now)}`,
    ),
    freezes.size === 0 ? 'Freezes: none' : `FROZEN: ${[...freezes].map(([id, reason]) => `#${id} ${quoted(reason)}`).join(', ')}`,
    `Head: line ${head.number}, ${head.hash}`,
  ];
}

function tellPolicy({ root, coolingSeconds, receivers, bands }: AuthorityPolicy): string {
  const changes = `changing rules, people or addresses takes ${signatures(root)}`;
  const to = receivers === 'listed' ? 'only listed receivers' : 'ANY receiver';
  return `${changes}, cooling time ${coolingSeconds} s, ${to}. ${bands.map(tellBand).join(', ') || 'No amount can be minted'}`;
}

function tellBand({ from, below, approvals, role, perDay, delaySeconds }: AuthorityBand): string {
  const range = below === null ? `${short(from)} BTC or more` : `${short(from)} to less than ${short(below)} BTC`;
  const conditions = [
    `${signatures(approvals)}${role === null ? '' : ` of role ${quoted(role)}`}`,
    ...(perDay === null ? [] : [`at most ${short(perDay)} BTC per day`]),
    ...(delaySeconds === 0 ? [] : [`${delaySeconds} s delay`]),
  ];
  return `${range} (${conditions.join(', ')})`;
}

const signatures = (count: number) => `${count} ${count === 1 ? 'signature' : 'signatures'}`;
const short = (satoshi: string) => formatUnits(BigInt(satoshi), 8);

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
  FORM: 'not a log line in canonical form',
  GENESIS: 'the first line isn’t the pinned genesis',
  ORDER: 'number, time or previous hash doesn’t match the previous line',
  UNKNOWN_STATEMENT: 'the signed statement isn’t in the log',
  NOT_APPROVER: 'the signer isn’t an active approver at that time',
  TWICE: 'this person has already signed the statement',
  LATE: 'signed after the statement expired',
  AUTHOR: 'the signer recorded or edited the deposit',
  CONTENT: 'the content contradicts the log or the rules',
  KEY: 'signed with a key that isn’t the person’s',
  SOFTWARE: 'signed with a software key outside a development log',
  CHALLENGE: 'the passkey signed a different statement',
  ORIGIN: 'the passkey signed for another origin',
  RP: 'the passkey signed for another domain (RP ID)',
  NOT_VERIFIED: 'the passkey didn’t verify its holder',
  SIGNATURE: 'the signature is invalid',
};
