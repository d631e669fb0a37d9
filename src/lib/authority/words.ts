import type { StatementRow } from '../../../api/authority/contract.ts';
import type { AuthorityBand, AuthorityKey, AuthorityPolicy, LogStatement, MintClaim } from '../../../api/authority/statements.ts';
import { formatBtc, formatUnits } from '../../../api/money.ts';
import { shortenMiddle } from '../format.ts';
import { roleText } from '../i18n/role-text.ts';
import { t, type TextKey } from '../i18n/i18n.ts';
import { amountText } from '../money/amount-text.ts';

export const btcText = (satoshi: string): string => formatUnits(BigInt(satoshi), 8);

/** One sentence, with addresses shortened and only the first line of a reason. */
export function sentenceOf({ kind, content }: Pick<LogStatement, 'kind' | 'content'>): string {
  const says = { kind, content } as Pick<LogStatement, 'kind' | 'content'> as LogStatement;
  const short = shortenMiddle;
  switch (says.kind) {
    case 'genesis':
      return t('authority.says.genesis', { chain: says.content.chainId, count: says.content.approvers.length });
    case 'approver.add':
      return t('authority.says.approverAdd', { name: says.content.name, key: t(`authority.key.${says.content.key.type}`) });
    case 'approver.remove':
      return t('authority.says.approverRemove', { name: says.content.name, reason: firstLine(says.content.reason) });
    case 'policy.set':
      return t('authority.says.policySet', { count: says.content.bands.length, root: says.content.root });
    case 'minter.set':
      return t('authority.says.minterSet', { address: short(says.content.address), reason: firstLine(says.content.reason) });
    case 'custody.add':
      return t('authority.says.custodyAdd', { address: short(says.content.address) });
    case 'custody.remove':
      return t('authority.says.custodyRemove', { address: short(says.content.address), reason: firstLine(says.content.reason) });
    case 'receiver.add':
      return t('authority.says.receiverAdd', {
        institution: says.content.institution,
        address: short(says.content.address),
      });
    case 'receiver.remove':
      return t('authority.says.receiverRemove', { address: short(says.content.address), reason: firstLine(says.content.reason) });
    case 'mint.approve':
      return t('authority.says.mintApprove', {
        amount: btcText(says.content.satoshi),
        receiver: short(says.content.receiver),
        custody: short(says.content.custody),
      });
    case 'mint.cancel':
      return t('authority.says.mintCancel', {
        output: `${short(says.content.txid)}:${says.content.vout}`,
        reason: firstLine(says.content.reason),
      });
    case 'refund.approve':
      return t('signing.says.refundApprove', { amount: btcText(says.content.satoshi), payout: short(says.content.payout) });
    case 'freeze':
      return t('authority.says.freeze', { reason: firstLine(says.content.reason) });
    case 'unfreeze':
      return isStatementNumber(says.content.freeze)
        ? t('authority.says.unfreeze', { freeze: says.content.freeze, reason: firstLine(says.content.reason) })
        : t('authority.says.unfreezeServer', { reason: firstLine(says.content.reason) });
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** An unfreeze names a statement number, or the id of a ledger freeze. */
const isStatementNumber = (freeze: string): boolean => /^\d+$/.test(freeze);

export const freezeWords = (freeze: string): string => (isStatementNumber(freeze) ? `#${freeze}` : t('authority.serverFreeze'));

/** See api/custody/difference.ts. */
export function differenceWords(difference: string): string {
  const [, supply, ledger] = /^supply (-?\d+) ledger (-?\d+)$/.exec(difference) ?? [];
  if (supply === undefined || ledger === undefined) return difference;
  const [onChain, inLedger] = [supply, ledger].map((wei) => `${amountText(BigInt(wei), 18)} YBTC`);
  return t('authority.differenceOf', { supply: onChain ?? '', ledger: inLedger ?? '' });
}

/** In the largest whole unit. */
export function secondsText(seconds: number): string {
  if (seconds === 0) return t('authority.time.none');
  if (seconds % 86_400 === 0) return t('authority.time.days', { count: seconds / 86_400 });
  if (seconds % 3600 === 0) return t('authority.time.hours', { count: seconds / 3600 });
  if (seconds % 60 === 0) return t('authority.time.minutes', { count: seconds / 60 });
  return t('authority.time.seconds', { count: seconds });
}

export const rangeText = ({ from, below }: Pick<AuthorityBand, 'from' | 'below'>): string =>
  below === null
    ? t('authority.band.above', { from: btcText(from) })
    : t('authority.band.range', { from: btcText(from), below: btcText(below) });

export function bandText(band: AuthorityBand): string {
  const { approvals, role, perDay, delaySeconds } = band;
  return [
    rangeText(band),
    t('authority.band.approvals', { count: approvals }),
    role === null ? t('authority.band.anyRole') : t('authority.band.role', { role: roleText(role) }),
    perDay === null ? t('authority.band.noLimit') : t('authority.band.perDay', { amount: btcText(perDay) }),
    t('authority.band.delay', { time: secondsText(delaySeconds) }),
  ].join(' · ');
}

export const policyLines = ({ root, coolingSeconds, receivers, bands, refundBands }: AuthorityPolicy): string[] => [
  t('authority.rules.root', { count: root }),
  t('authority.rules.cooling', { time: secondsText(coolingSeconds) }),
  t(`authority.rules.receivers.${receivers}`),
  ...bands.map((band) => t('signing.rules.mint', { band: bandText(band) })),
  ...refundBands.map((band) => t('signing.rules.refund', { band: bandText(band) })),
];

/** Includes the full key or address. */
export const keyText = (key: AuthorityKey): string =>
  `${t(`authority.key.${key.type}`)} ${key.type === 'wallet' ? key.address : key.type === 'passkey' ? key.credential : key.publicKey}`;

/** `as`: an address, hash or key, or ids of administrators, shown as emails. */
export interface ContentLine {
  label: TextKey;
  values: readonly string[];
  as?: 'mono' | 'people';
}

const text = (label: TextKey, ...values: string[]): ContentLine => ({ label, values });
const monoLine = (label: TextKey, ...values: string[]): ContentLine => ({ label, values, as: 'mono' });
const people = (label: TextKey, ...values: string[]): ContentLine => ({ label, values, as: 'people' });
const network = (name: MintClaim['network']): ContentLine => text('authority.field.network', t(`value.network.${name}`));

/** Every field, unshortened. */
export function contentLines({ kind, content }: Pick<LogStatement, 'kind' | 'content'>): ContentLine[] {
  const says = { kind, content } as LogStatement;
  switch (says.kind) {
    case 'genesis': {
      const { content: all } = says;
      return [
        text('authority.field.development', t(all.development ? 'form.yes' : 'form.no')),
        network(all.network),
        text('authority.field.chainId', String(all.chainId)),
        monoLine('authority.field.token', all.token),
        monoLine('authority.field.bridge', all.bridge),
        monoLine('authority.field.minter', all.minter),
        text('authority.field.passkeysOf', `${all.rpId} · ${all.origin}`),
        text(
          'authority.field.approvers',
          ...all.approvers.map(({ name, roles, key }) => `${[name, ...roles.map(roleText)].join(' · ')} · ${keyText(key)}`),
        ),
        text('authority.field.rules', ...policyLines(all.policy)),
        monoLine('authority.field.custodyOf', ...all.custody),
        text(
          'authority.field.receivers',
          ...all.receivers.map(({ institution, address, payout }) => [institution, address, ...payout].join(' · ')),
        ),
      ];
    }
    case 'approver.add':
      return [
        text('authority.field.name', says.content.name),
        people('authority.field.person', says.content.person),
        text('authority.field.roles', ...says.content.roles.map(roleText)),
        text('authority.field.keyType', t(`authority.key.${says.content.key.type}`)),
        ...(says.content.key.type === 'passkey' ? [monoLine('authority.field.credential', says.content.key.credential)] : []),
        monoLine(
          'authority.field.publicKey',
          says.content.key.type === 'wallet' ? says.content.key.address : says.content.key.publicKey,
        ),
      ];
    case 'approver.remove':
      return [
        text('authority.field.name', says.content.name),
        people('authority.field.person', says.content.person),
        text('authority.field.reason', says.content.reason),
      ];
    case 'policy.set':
      return [text('authority.field.rules', ...policyLines(says.content))];
    case 'custody.add':
      return [monoLine('authority.field.address', says.content.address), text('authority.field.note', says.content.note)];
    case 'minter.set':
    case 'custody.remove':
    case 'receiver.remove':
      return [monoLine('authority.field.address', says.content.address), text('authority.field.reason', says.content.reason)];
    case 'receiver.add':
      return [
        text('authority.field.institution', says.content.institution),
        monoLine('authority.field.receiver', says.content.address),
        says.content.custody.length > 0
          ? monoLine('authority.field.custodyOf', ...says.content.custody)
          : text('authority.field.custodyOf', t('authority.anyCustody')),
        monoLine('signing.field.payoutOf', ...says.content.payout),
      ];
    case 'mint.approve': {
      const { content: claim } = says;
      return [
        text('authority.field.amount', `${formatBtc(BigInt(claim.satoshi))} BTC`),
        monoLine('authority.field.receiver', claim.receiver),
        monoLine('authority.field.custody', claim.custody),
        monoLine('authority.field.output', `${claim.txid}:${claim.vout}`),
        network(claim.network),
        text('authority.field.chainId', String(claim.chainId)),
        monoLine('authority.field.token', claim.token),
        monoLine('authority.field.bridge', claim.bridge),
        text('authority.field.policy', `#${claim.policy}`),
        people('authority.field.authors', ...claim.authors),
      ];
    }
    case 'mint.cancel':
      return [
        monoLine('authority.field.output', `${says.content.txid}:${says.content.vout}`),
        network(says.content.network),
        text('authority.field.reason', says.content.reason),
      ];
    case 'refund.approve': {
      const { content: claim } = says;
      return [
        text('authority.field.amount', `${formatBtc(BigInt(claim.satoshi))} BTC`),
        monoLine('signing.field.payout', claim.payout),
        monoLine('authority.field.account', claim.account),
        monoLine('authority.field.output', `${claim.txid}:${claim.vout}`),
        network(claim.network),
        text('signing.field.firstNonce', String(claim.nonce)),
        text('authority.field.chainId', String(claim.chainId)),
        monoLine('authority.field.bridge', claim.bridge),
        text('authority.field.policy', `#${claim.policy}`),
        people('signing.field.refundAuthors', ...claim.authors),
      ];
    }
    case 'freeze':
      return [text('authority.field.reason', says.content.reason)];
    case 'unfreeze':
      return [
        text('authority.field.freeze', freezeWords(says.content.freeze)),
        ...(says.content.difference ? [text('authority.field.difference', differenceWords(says.content.difference))] : []),
        text('authority.field.reason', says.content.reason),
      ];
  }
}

export const numberText = ({ number }: Pick<StatementRow, 'number'>): string =>
  number === null ? t('signing.draft') : `#${number}`;
