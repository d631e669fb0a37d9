import { getAddress } from 'viem';
import * as z from 'zod/mini';
import { bitcoinNetworks } from '../../api/access/wallet.ts';
import { canonical, canonicalHash } from '../../api/authority/canonical.ts';
import {
  contents,
  logVersion,
  type AuthorityKey,
  type Genesis,
  type GenesisLine,
  type Receiver,
} from '../../api/authority/statements.ts';
import { maxSatoshi, parseBtc } from '../../api/money.ts';
import { parseBitcoinAddress } from '../../chain/bitcoin-address.ts';
import { isValidPublicKey } from './proofs.ts';
import { isLookAlike } from '../../api/look-alikes.ts';
import { keyId } from './lines.ts';

// The file that begins a real log, with amounts in BTC. Checked completely, because only the people it names can change it once
// pinned.

const btcAmountSchema = z.string();
const band = z.strictObject({
  fromBtc: btcAmountSchema,
  belowBtc: z.nullable(btcAmountSchema),
  approvals: z.int(),
  role: z.nullable(z.string()),
  perDayBtc: z.nullable(btcAmountSchema),
  delaySeconds: z.int(),
});
const key = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('passkey'), credential: z.string(), publicKey: z.string() }),
  z.strictObject({ type: z.literal('wallet'), address: z.string() }),
]);
const config = z.strictObject({
  network: z.enum(bitcoinNetworks),
  chainId: z.int(),
  token: z.string(),
  bridge: z.string(),
  minter: z.string(),
  rpId: z.string(),
  origin: z.string(),
  approvers: z.array(z.strictObject({ person: z.string(), name: z.string(), roles: z.array(z.string()), key })),
  policy: z.strictObject({ root: z.int(), coolingSeconds: z.int(), bands: z.array(band), refundBands: z.array(band) }),
  custody: z.array(z.string()),
  receivers: z.array(
    z.strictObject({
      address: z.string(),
      institution: z.string(),
      custody: z.array(z.string()),
      payout: z.array(z.string()),
    }),
  ),
});
type GenesisConfig = z.infer<typeof config>;

export class GenesisConfigError extends Error {
  override name = 'GenesisConfigError';
  constructor(path: string, problemText: string) {
    super(path === '' ? problemText : `${path}: ${problemText}`);
  }
}

export interface CreatedGenesis {
  readonly line: string;
  readonly hash: string;
  readonly notes: readonly string[];
}

/** `at` in milliseconds. Deterministic for text and time. Throws GenesisConfigError. */
export function createGenesis(json: string, createdAt: number): CreatedGenesis {
  const parsedConfig = parseConfig(json);
  const content = buildGenesis(parsedConfig);
  const { success, error } = contents.genesis.safeParse(content, { reportInput: true });
  if (!success) throw new GenesisConfigError(...describeFirstIssue(error));
  if (content.approvers.length === 0) throw new GenesisConfigError('approvers', 'list at least one approver');
  const line: GenesisLine = {
    v: logVersion,
    kind: 'genesis',
    number: 0,
    previous: '',
    at: new Date(createdAt).toISOString(),
    content,
  };
  return { line: canonical(line), hash: canonicalHash(line), notes: findWarnings(content) };
}

function parseConfig(json: string): GenesisConfig {
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (error) {
    throw new GenesisConfigError('', `not valid JSON: ${error instanceof Error ? error.message : ''}`);
  }
  const { success, data, error } = config.safeParse(value, { reportInput: true });
  if (!success) throw new GenesisConfigError(...describeFirstIssue(error));
  return data;
}

function describeFirstIssue({ issues: [issue] }: z.core.$ZodError): [path: string, problem: string] {
  const path = (issue?.path ?? []).join('.');
  switch (issue?.code) {
    case 'unrecognized_keys':
      return [path, `unknown setting ${issue.keys.join(', ')}`];
    case 'invalid_union':
      return [path, 'must be a passkey or a wallet'];
    case 'invalid_type':
      return [path, issue.input === undefined ? 'is missing' : `must be ${typeNames[issue.expected] ?? issue.expected}`];
    case 'invalid_value':
      return [path, `must be one of: ${issue.values.join(', ')}`];
    case 'too_small':
      return [path, `must be at least ${issue.minimum}`];
    case 'too_big':
      return [path, `must be at most ${issue.maximum}`];
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_key':
    case 'invalid_element':
    case 'custom':
    case undefined:
      return [path, 'has an invalid format'];
  }
}
const typeNames: Readonly<Record<string, string>> = {
  string: 'text',
  int: 'a whole number',
  array: 'a list',
  object: 'an object in braces',
};

function buildGenesis({ network, chainId, rpId, origin, ...configFields }: GenesisConfig): Genesis {
  if (chainId === 1337 || chainId === 31_337) throw new GenesisConfigError('chainId', `${chainId} is a development chain`);
  const token = parseEvmAddress('token', configFields.token);
  const bridge = parseEvmAddress('bridge', configFields.bridge);
  if (token === bridge) throw new GenesisConfigError('bridge', 'must not be the token contract');
  const minter = parseEvmAddress('minter', configFields.minter);
  if (minter === token || minter === bridge) throw new GenesisConfigError('minter', 'must not be a contract of the protocol');
  requireOrigin(rpId, origin);
  const custodyAddresses = configFields.custody.map((address, index) =>
    requireBitcoinAddress(`custody.${index}`, address, network),
  );
  requireDistinct('custody', custodyAddresses);
  return {
    development: false,
    network,
    chainId,
    token,
    bridge,
    minter,
    rpId,
    origin,
    approvers: buildApprovers(configFields.approvers),
    policy: buildPolicy(configFields.policy, configFields.approvers),
    custody: custodyAddresses,
    receivers: buildReceivers(configFields.receivers, { custody: custodyAddresses, network, contracts: [token, bridge], minter }),
  };
}

/** The domain must be the page's own or a parent. */
function requireOrigin(rpId: string, origin: string): void {
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (url?.protocol !== 'https:' || url.origin !== origin)
    throw new GenesisConfigError('origin', 'must be the page’s origin, like https://panel.example');
  if (!/^[a-z0-9-]+(\.[a-z0-9-]+)+$/.test(rpId) || /^[\d.]+$/.test(rpId))
    throw new GenesisConfigError('rpId', 'must be a domain, like panel.example');
  if (url.hostname !== rpId && !url.hostname.endsWith(`.${rpId}`))
    throw new GenesisConfigError('rpId', `must be ${url.hostname} or one of its parent domains`);
}

function buildApprovers(approvers: GenesisConfig['approvers']): Genesis['approvers'] {
  const names = new Map<string, string>();
  const keys = new Map<string, number>();
  return approvers.map(({ person, name, roles, key: provided }, index) => {
    const path = `approvers.${index}`;
    if ((names.get(person) ?? name) !== name)
      throw new GenesisConfigError(`${path}.name`, `${person} is already named ${names.get(person)}`);
    for (const [otherPerson, knownName] of names)
      if (otherPerson !== person && (knownName === name || isLookAlike(knownName, name)))
        throw new GenesisConfigError(`${path}.name`, `is too similar to ${knownName}`);
    names.set(person, name);
    const normalizedKey: AuthorityKey =
      provided.type === 'wallet' ? { ...provided, address: parseEvmAddress(`${path}.key.address`, provided.address) } : provided;
    if (!isValidPublicKey(normalizedKey))
      throw new GenesisConfigError(`${path}.key.publicKey`, 'must be a P-256 public key (SPKI, DER) in base64url');
    for (const id of normalizedKey.type === 'passkey'
      ? [keyId(normalizedKey), normalizedKey.credential]
      : [keyId(normalizedKey)]) {
      const duplicateIndex = keys.get(id);
      if (duplicateIndex !== undefined)
        throw new GenesisConfigError(`${path}.key`, `duplicates the key of approvers.${duplicateIndex}`);
      keys.set(id, index);
    }
    return { person, name, roles, key: normalizedKey };
  });
}

function buildPolicy(
  { root, coolingSeconds, bands, refundBands }: GenesisConfig['policy'],
  approvers: GenesisConfig['approvers'],
): Genesis['policy'] {
  const people = new Set(approvers.map(({ person }) => person));
  if (root < 2) throw new GenesisConfigError('policy.root', 'must be at least 2, so that no one can change the rules alone');
  if (root > people.size)
    throw new GenesisConfigError('policy.root', `requires ${root} people, but only ${people.size} are listed`);
  if (bands.length === 0) throw new GenesisConfigError('policy.bands', 'list at least one band, or no amount can be minted');
  return {
    root,
    coolingSeconds,
    receivers: 'listed',
    bands: buildBands('policy.bands', bands, approvers),
    refundBands: buildBands('policy.refundBands', refundBands, approvers),
  };
}

function buildBands(
  pathPrefix: string,
  bands: GenesisConfig['policy']['bands'],
  approvers: GenesisConfig['approvers'],
): Genesis['policy']['bands'] {
  let nextFrom: bigint | null = 0n;
  return bands.map(({ fromBtc, belowBtc, perDayBtc, approvals, role, delaySeconds }, index) => {
    const path = `${pathPrefix}.${index}`;
    const from = parseSatoshi(`${path}.fromBtc`, fromBtc);
    const below = belowBtc === null ? null : parseSatoshi(`${path}.belowBtc`, belowBtc);
    if (nextFrom === null) throw new GenesisConfigError(path, 'follows a band that has no upper limit');
    if (from !== nextFrom)
      throw new GenesisConfigError(
        `${path}.fromBtc`,
        from < nextFrom ? 'overlaps the previous band' : 'leaves a gap after the previous band',
      );
    if (below !== null && below <= from) throw new GenesisConfigError(`${path}.belowBtc`, 'must be higher than fromBtc');
    nextFrom = below;
    const eligiblePeople = new Set(
      approvers.filter(({ roles }) => role === null || roles.includes(role)).map(({ person }) => person),
    );
    if (approvals > eligiblePeople.size)
      throw new GenesisConfigError(
        `${path}.approvals`,
        `requires ${approvals} people, but only ${eligiblePeople.size} ${role === null ? 'are listed' : `have the role ${role}`}`,
      );
    const perDay = perDayBtc === null ? null : parseSatoshi(`${path}.perDayBtc`, perDayBtc);
    return {
      from: String(from),
      below: below === null ? null : String(below),
      approvals,
      role,
      perDay: perDay === null ? null : String(perDay),
      delaySeconds,
    };
  });
}

interface ReceiverContext {
  custody: readonly string[];
  network: GenesisConfig['network'];
  contracts: readonly string[];
  minter: string;
}

function buildReceivers(
  receivers: GenesisConfig['receivers'],
  { custody, network, contracts, minter }: ReceiverContext,
): Receiver[] {
  const owners = new Map<string, string>();
  const builtReceivers = receivers.map(({ address, institution, custody: custodyTexts, payout: payoutTexts }, index) => {
    const path = `receivers.${index}`;
    const receiverAddress = parseEvmAddress(`${path}.address`, address);
    if (contracts.includes(receiverAddress))
      throw new GenesisConfigError(`${path}.address`, 'must not be a contract of the protocol');
    if (receiverAddress === minter) throw new GenesisConfigError(`${path}.address`, 'must not be the minter');
    const similarReceiver = receivers.find((otherReceiver) => isLookAlike(otherReceiver.institution, institution));
    if (similarReceiver) throw new GenesisConfigError(`${path}.institution`, `is too similar to ${similarReceiver.institution}`);
    const custodyAddresses = custodyTexts.map((address, index) =>
      requireBitcoinAddress(`${path}.custody.${index}`, address, network),
    );
    for (const [index, address] of custodyAddresses.entries()) {
      if (!custody.includes(address)) throw new GenesisConfigError(`${path}.custody.${index}`, 'must be listed under custody');
      if ((owners.get(address) ?? institution) !== institution)
        throw new GenesisConfigError(`${path}.custody.${index}`, `already belongs to ${owners.get(address)}`);
      owners.set(address, institution);
    }
    const payoutAddresses = payoutTexts.map((address, index) =>
      requireBitcoinAddress(`${path}.payout.${index}`, address, network),
    );
    for (const [index, address] of payoutAddresses.entries()) {
      if (custody.includes(address)) throw new GenesisConfigError(`${path}.payout.${index}`, 'must not be a custody address');
      if ((owners.get(address) ?? institution) !== institution)
        throw new GenesisConfigError(`${path}.payout.${index}`, `already belongs to ${owners.get(address)}`);
      owners.set(address, institution);
    }
    requireDistinct(`${path}.payout`, payoutAddresses);
    return { address: receiverAddress, institution, custody: custodyAddresses, payout: payoutAddresses };
  });
  requireDistinct(
    'receivers',
    builtReceivers.map(({ address }) => address),
  );
  return builtReceivers;
}

function requireDistinct(path: string, values: readonly string[]): void {
  const duplicateIndex = values.findIndex((value, index) => values.indexOf(value) !== index);
  if (duplicateIndex !== -1) throw new GenesisConfigError(`${path}.${duplicateIndex}`, 'is listed twice');
}

function parseEvmAddress(path: string, text: string): string {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) throw new GenesisConfigError(path, 'must be 0x followed by 40 hexadecimal digits');
  if (/^0x0{40}$/.test(text)) throw new GenesisConfigError(path, 'must not be the zero address');
  if (getAddress(text) !== text) throw new GenesisConfigError(path, 'has a wrong checksum (EIP-55)');
  return text;
}

function requireBitcoinAddress(path: string, text: string, network: GenesisConfig['network']): string {
  const address = parseBitcoinAddress(text, network);
  if (address === null) throw new GenesisConfigError(path, `isn’t a Bitcoin ${network} address`);
  return address;
}

function parseSatoshi(path: string, text: string): bigint {
  const amount = parseBtc(text);
  if (amount === null || amount < 0n || amount > maxSatoshi)
    throw new GenesisConfigError(path, 'must be an amount in BTC from 0 to 21000000, like "0.5"');
  return amount;
}

function findWarnings({
  approvers,
  policy: { root, coolingSeconds, bands, refundBands },
  custody,
  receivers,
}: Genesis): string[] {
  const people = new Set(approvers.map(({ person }) => person)).size;
  const wallets = new Set(approvers.filter(({ key: approverKey }) => approverKey.type === 'wallet').map(({ person }) => person))
    .size;
  return [
    ...(root === people
      ? [`changes need all ${people} people. If one of them loses their key, nothing can be changed any more`]
      : []),
    ...(coolingSeconds < 86_400
      ? [`the cooling time is ${coolingSeconds} s. That leaves less than a day to notice a change`]
      : []),
    ...(bands.some(({ approvals }) => approvals < 2)
      ? ['some amounts need only one person besides the one who recorded the deposit']
      : []),
    ...(refundBands.length === 0 ? ['there is no refund band yet, so no bitcoin can be paid out'] : []),
    ...(refundBands.some(({ approvals }) => approvals < 2)
      ? ['some refunds need only one person besides the one who recorded the withdrawal']
      : []),
    ...(wallets === 0
      ? ['no approver has a wallet that shows what it signs. A compromised page could get signatures from passkeys']
      : []),
    ...(custody.length === 0 ? ['there is no custody address yet, so nothing can be minted'] : []),
    ...(receivers.length === 0 ? ['there is no receiver yet, so nothing can be minted'] : []),
  ];
}
