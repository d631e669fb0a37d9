import type { StatementRow } from '../../../api/authority/contract.ts';
import type { AuthorityBand, AuthorityKey, AuthorityPolicy, LogStatement, MintClaim } from '../../../api/authority/statements.ts';
import { formatBtc, formatUnits } from '../../../api/money.ts';
import { shortenMiddle } from '../format.ts';
import { roleText } from '../i18n/role-text.ts';
import { t, type TextKey } from '../i18n/i18n.ts';
import { amountText } from '../money/amount-text.ts';

export const btcText = (satoshi: string): string => formatUnits(BigInt(satoshi), 8);

/** One sentence, with addresses shortened and only the first line of a reason. */
export function describeStatement({ kind, content }: Pick<LogStatement, 'kind' | 'content'>): string {
  const statement = { kind, content } as Pick<LogStatement, 'kind' | 'content'> as LogStatement;
  const shorten = shortenMiddle;
  switch (statement.kind) {
    case 'genesis':
      return t('authority.says.genesis', { chain: statement.content.chainId, count: statement.content.approvers.length });
    case 'approver.add':
      return t('authority.says.approverAdd', {
        name: statement.content.name,
        key: t(`authority.key.${statement.content.key.type}`),
      });
    case 'approver.remove':
      return t('authority.says.approverRemove', { name: statement.content.name, reason: firstLine(statement.content.reason) });
    case 'policy.set':
      return t('authority.says.policySet', { count: statement.content.bands.length, root: statement.content.root });
    case 'minter.set':
      return t('authority.says.minterSet', {
        address: shorten(statement.content.address),
        reason: firstLine(statement.content.reason),
      });
    case 'custody.add':
      return t('authority.says.custodyAdd', { address: shorten(statement.content.address) });
    case 'custody.remove':
      return t('authority.says.custodyRemove', {
        address: shorten(statement.content.address),
        reason: firstLine(statement.content.reason),
      });
    case 'receiver.add':
      return t('authority.says.receiverAdd', {
        institution: statement.content.institution,
        address: shorten(statement.content.address),
      });
    case 'receiver.remove':
      return t('authority.says.receiverRemove', {
        address: shorten(statement.content.address),
        reason: firstLine(statement.content.reason),
      });
    case 'mint.approve':
      return t('authority.says.mintApprove', {
        amount: btcText(statement.content.satoshi),
        receiver: shorten(statement.content.receiver),
        custody: shorten(statement.content.custody),
      });
    case 'mint.cancel':
      return t('authority.says.mintCancel', {
        output: `${shorten(statement.content.txid)}:${statement.content.vout}`,
        reason: firstLine(statement.content.reason),
      });
    case 'refund.approve':
      return t('signing.says.refundApprove', {
        amount: btcText(statement.content.satoshi),
        payout: shorten(statement.content.payout),
      });
    case 'freeze':
      return t('authority.says.freeze', { reason: firstLine(statement.content.reason) });
    case 'unfreeze':
      return isStatementNumber(statement.content.freeze)
        ? t('authority.says.unfreeze', { freeze: statement.content.freeze, reason: firstLine(statement.content.reason) })
        : t('authority.says.unfreezeServer', { reason: firstLine(statement.content.reason) });
  }
}

const firstLine = (text: string): string => text.split('\n', 1)[0] ?? '';

/** An unfreeze names a statement number, or the id of a ledger freeze. */
const isStatementNumber = (freeze: string): boolean => /^\d+$/.test(freeze);

export const freezeText = (freeze: string): string => (isStatementNumber(freeze) ? `#${freeze}` : t('authority.serverFreeze'));

/** See api/custody/difference.ts. */
export function differenceText(difference: string): string {
  const [, supply, ledger] = /^supply (-?\d+) ledger (-?\d+)$/.exec(difference) ?? [];
  if (supply === undefined || ledger === undefined) return difference;
  const [chainSupply, ledgerSupply] = [supply, ledger].map((wei) => `${amountText(BigInt(wei), 18)} YBTC`);
  return t('authority.differenceOf', { supply: chainSupply ?? '', ledger: ledgerSupply ?? '' });
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
const createMonoLine = (label: TextKey, ...values: string[]): ContentLine => ({ label, values, as: 'mono' });
const createPeopleLine = (label: TextKey, ...values: string[]): ContentLine => ({ label, values, as: 'people' });
const network = (name: MintClaim['network']): ContentLine => text('authority.field.network', t(`value.network.${name}`));

/** Every field, unshortened. */
export function contentLines({ kind, content }: Pick<LogStatement, 'kind' | 'content'>): ContentLine[] {
  const statement = { kind, content } as LogStatement;
  switch (statement.kind) {
    case 'genesis': {
      const { content: allContent } = statement;
      return [
        text('authority.field.development', t(allContent.development ? 'form.yes' : 'form.no')),
        network(allContent.network),
        text('authority.field.chainId', String(allContent.chainId)),
        createMonoLine('authority.field.token', allContent.token),
        createMonoLine('authority.field.bridge', allContent.bridge),
        createMonoLine('authority.field.minter', allContent.minter),
        text('authority.field.passkeysOf', `${allContent.rpId} · ${allContent.origin}`),
        text(
          'authority.field.approvers',
          ...allContent.approvers.map(
            ({ name, roles, key }) => `${[name, ...roles.map(roleText)].join(' · ')} · ${keyText(key)}`,
          ),
        ),
        text('authority.field.rules', ...policyLines(allContent.policy)),
        createMonoLine('authority.field.custodyOf', ...allContent.custody),
        text(
          'authority.field.receivers',
          ...allContent.receivers.map(({ institution, address, payout }) => [institution, address, ...payout].join(' · ')),
        ),
      ];
    }
    case 'approver.add':
      return [
        text('authority.field.name', statement.content.name),
        createPeopleLine('authority.field.person', statement.content.person),
        text('authority.field.roles', ...statement.content.roles.map(roleText)),
        text('authority.field.keyType', t(`authority.key.${statement.content.key.type}`)),
        ...(statement.content.key.type === 'passkey'
          ? [createMonoLine('authority.field.credential', statement.content.key.credential)]
          : []),
        createMonoLine(
          'authority.field.publicKey',
          statement.content.key.type === 'wallet' ? statement.content.key.address : statement.content.key.publicKey,
        ),
      ];
    case 'approver.remove':
      return [
        text('authority.field.name', statement.content.name),
        createPeopleLine('authority.field.person', statement.content.person),
        text('authority.field.reason', statement.content.reason),
      ];
    case 'policy.set':
      return [text('authority.field.rules', ...policyLines(statement.content))];
    case 'custody.add':
      return [
        createMonoLine('authority.field.address', statement.content.address),
        text('authority.field.note', statement.content.note),
      ];
    case 'minter.set':
    case 'custody.remove':
    case 'receiver.remove':
      return [
        createMonoLine('authority.field.address', statement.content.address),
        text('authority.field.reason', statement.content.reason),
      ];
    case 'receiver.add':
      return [
        text('authority.field.institution', statement.content.institution),
        createMonoLine('authority.field.receiver', statement.content.address),
        statement.content.custody.length > 0
          ? createMonoLine('authority.field.custodyOf', ...statement.content.custody)
          : text('authority.field.custodyOf', t('authority.anyCustody')),
        createMonoLine('signing.field.payoutOf', ...statement.content.payout),
      ];
    case 'mint.approve': {
      const { content: claim } = statement;
      return [
        text('authority.field.amount', `${formatBtc(BigInt(claim.satoshi))} BTC`),
        createMonoLine('authority.field.receiver', claim.receiver),
        createMonoLine('authority.field.custody', claim.custody),
        createMonoLine('authority.field.output', `${claim.txid}:${claim.vout}`),
        network(claim.network),
        text('authority.field.chainId', String(claim.chainId)),
        createMonoLine('authority.field.token', claim.token),
        createMonoLine('authority.field.bridge', claim.bridge),
        text('authority.field.policy', `#${claim.policy}`),
        createPeopleLine('authority.field.authors', ...claim.authors),
      ];
    }
    case 'mint.cancel':
      return [
        createMonoLine('authority.field.output', `${statement.content.txid}:${statement.content.vout}`),
        network(statement.content.network),
        text('authority.field.reason', statement.content.reason),
      ];
    case 'refund.approve': {
      const { content: claim } = statement;
      return [
        text('authority.field.amount', `${formatBtc(BigInt(claim.satoshi))} BTC`),
        createMonoLine('signing.field.payout', claim.payout),
        createMonoLine('authority.field.account', claim.account),
        createMonoLine('authority.field.output', `${claim.txid}:${claim.vout}`),
        network(claim.network),
        text('signing.field.firstNonce', String(claim.nonce)),
        text('authority.field.chainId', String(claim.chainId)),
        createMonoLine('authority.field.bridge', claim.bridge),
        text('authority.field.policy', `#${claim.policy}`),
        createPeopleLine('signing.field.refundAuthors', ...claim.authors),
      ];
    }
    case 'freeze':
      return [text('authority.field.reason', statement.content.reason)];
    case 'unfreeze':
      return [
        text('authority.field.freeze', freezeText(statement.content.freeze)),
        ...(statement.content.difference
          ? [text('authority.field.difference', differenceText(statement.content.difference))]
          : []),
        text('authority.field.reason', statement.content.reason),
      ];
  }
}

export const numberText = ({ number }: Pick<StatementRow, 'number'>): string =>
  number === null ? t('signing.draft') : `#${number}`;
