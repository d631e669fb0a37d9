import { flattenMenu, type RoutePath } from '../../api/menu.ts';
import {
  formatAmount,
  formatDuration,
  fillTemplate,
  formatPercent,
  formatTime,
  type Language,
  type BilingualText,
  type TemplateValues,
} from '../platform/core/wording.ts';
import {
  alarmKinds,
  differenceTexts,
  alarmLines,
  mintProblemTexts,
  mintStateTexts,
  reserveProblemTexts,
  watchStateTexts,
  watchNames,
  unknownKindText,
  alarmPhrases,
  type AlarmKind,
} from './alarm-texts.ts';
import { mintStages } from '../deposits/shared/block-texts.ts';
import { toPlainText, type AlarmFacts } from './facts.ts';

export interface ReaderContext {
  readonly language: Language;
  /** Null: the language's default. */
  readonly zone: string | null;
  readonly publicUrl: string;
  readonly names: ReadonlyMap<string, string>;
}

export interface Alarm {
  readonly id: string;
  readonly kind: string;
  /** `AlarmFacts`, or text from version 0.1. */
  readonly subjects: readonly unknown[];
  readonly at: Date;
}

export interface AlarmWording {
  readonly title: string;
  readonly at: string;
  readonly lines: readonly { readonly text: string; readonly url: string }[];
  readonly next: string;
}

export const addressesIn = ({ subjects }: Alarm): string[] =>
  subjects.flatMap((facts) => {
    const { recipient, owner, from } = facts as Readonly<Record<string, unknown>>;
    return [recipient, owner, from].filter((address) => typeof address === 'string');
  });

export function createWording({ kind, subjects, at }: Alarm, reader: ReaderContext): AlarmWording {
  const { language } = reader;
  const time = formatLocalTime(at.toISOString(), reader);
  const { title, next } = isKind(kind) ? alarmKinds[kind] : unknownKindText;
  return {
    title: title[language],
    at: time,
    lines: subjects.map((facts) => {
      const { text, path } = typeof facts === 'string' ? { text: facts, path: '' } : createSentence(kind, facts, reader, at);
      return { text, url: `${reader.publicUrl}${path}` };
    }),
    next: fillTemplate(next[language], { screen: screenName(dataPanel, language) }),
  };
}

const isKind = (kind: string): kind is AlarmKind => Object.hasOwn(alarmKinds, kind);

interface Sentence {
  text: string;
  path: string;
}

/** Another release may have written other fields. The alarm is still sent, with a link. */
function createSentence(kind: string, facts: unknown, reader: ReaderContext, raisedAt: Date): Sentence {
  try {
    if (isKind(kind)) return createSentenceOfKind(kind, facts as AlarmFacts[typeof kind], reader, raisedAt);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return { text: alarmPhrases.unreadable[reader.language], path: '' };
}

const createSentenceOfKind = <K extends AlarmKind>(
  kind: K,
  facts: AlarmFacts[K],
  reader: ReaderContext,
  raisedAt: Date,
): Sentence => sentences[kind](facts, reader, raisedAt);

const dataPanel = '/selfCustody/dataPanel';

const sentences: { [K in AlarmKind]: (facts: AlarmFacts[K], reader: ReaderContext, raisedAt: Date) => Sentence } = {
  freezeOpened({ cause, at, by, reason, supplyOff, ledgerOff }, reader) {
    const values = {
      time: formatLocalTime(at, reader),
      who: by ?? alarmPhrases.unknownAccount[reader.language],
      reason: reasonText(reason, reader),
    };
    if (cause === 'manual') return formatSentence(alarmLines.manualFreeze, values, dataPanel, reader);
    if (cause === 'refund') return formatSentence(alarmLines.refundFreeze, values, dataPanel, reader);
    return formatSentence(
      alarmLines.differenceFreeze,
      { ...values, difference: formatDifference(supplyOff, ledgerOff, reader) },
      dataPanel,
      reader,
    );
  },
  freezeLifted({ at, by, reason }, reader) {
    const accountName = by ?? alarmPhrases.unknownAccount[reader.language];
    return formatSentence(
      alarmLines.freezeLifted,
      { time: formatLocalTime(at, reader), who: accountName, reason: reasonText(reason, reader) },
      dataPanel,
      reader,
    );
  },
  reserveShort({ satoshi, bitcoinHeight, supply, block, shortfall }, reader) {
    const values = { reserve: formatBtc(satoshi, reader), height: bitcoinHeight, supply: formatYbtc(supply, reader), block };
    return formatSentence(alarmLines.reserveShort, { ...values, shortfall: formatYbtc(shortfall, reader) }, dataPanel, reader);
  },
  reserveUnproven({ state, at, problem }, reader) {
    if (state === 'invalid') return formatSentence(alarmLines.reserveInvalid, {}, dataPanel, reader);
    const problemText = reserveProblemTexts[problem ?? 'unknown'][reader.language];
    if (state === 'none' || at === null)
      return formatSentence(alarmLines.reserveNone, { problem: problemText }, dataPanel, reader);
    return formatSentence(alarmLines.reserveOld, { time: formatLocalTime(at, reader), problem: problemText }, dataPanel, reader);
  },
  watchSilent({ watch, since, state }, reader) {
    const values = { watch: watchNames[watch][reader.language], state: watchStateTexts[state ?? 'unfinished'][reader.language] };
    const path = watch === 'crsm' ? '/CRSMTrove/CRSMList' : dataPanel;
    return formatSentence(alarmLines.watchSilent, { ...values, time: formatLocalTime(since, reader) }, path, reader);
  },
  refundUnmatched({ chainId, nonce, amount, from, receiver, receiverLength, deposit }, reader) {
    const values = { chain: chainId, nonce, amount: formatYbtc(amount, reader), who: nameAddress(from, reader), deposit };
    return receiver === null
      ? formatSentence(alarmLines.refundNowhere, { ...values, length: receiverLength }, dataPanel, reader)
      : formatSentence(alarmLines.refundUnmatched, { ...values, receiver }, dataPanel, reader);
  },
  mintFailed({ deposit, recipient, amount, problem }, reader) {
    const values = {
      who: nameAddress(recipient, reader),
      amount: formatYbtc(amount, reader),
      problem: mintProblemText(problem, reader),
    };
    return formatSentence(alarmLines.mintFailed, values, `/selfCustody/deposit?open=${deposit}`, reader);
  },
  mintStuck({ deposit, recipient, amount, problem, state, since }, reader) {
    const values = {
      who: nameAddress(recipient, reader),
      amount: formatYbtc(amount, reader),
      time: formatLocalTime(since, reader),
      state: mintStateTexts[state][reader.language],
      problem: mintProblemText(problem, reader),
    };
    return formatSentence(
      problem === null ? alarmLines.mintStuck : alarmLines.mintStuckBecause,
      values,
      `/selfCustody/deposit?open=${deposit}`,
      reader,
    );
  },
  depositWaits({ deposit, recipient, satoshi, by, since }, reader, raisedAt) {
    const values = {
      who: nameAddress(recipient, reader),
      amount: formatBtc(satoshi, reader),
      by,
      time: formatLocalTime(since, reader),
      waited: formatDuration(raisedAt.getTime() - Date.parse(since), reader.language),
    };
    return formatSentence(alarmLines.depositWaits, values, `/selfCustody/deposit?open=${deposit}`, reader);
  },
  depositBlocked({ deposit, recipient, satoshi, output, reason, at, stage }, reader) {
    const values = {
      who: nameAddress(recipient, reader),
      amount: formatBtc(satoshi, reader),
      output,
      reason,
      time: formatLocalTime(at, reader),
    };
    const path: PanelPath = `/selfCustody/deposit?open=${deposit}`;
    return formatSentence(alarmLines.depositBlocked, { ...values, stage: mintStages[stage][reader.language] }, path, reader);
  },
  rulesChanged({ audit, at, by, command, record, name, statement }, reader) {
    const { language } = reader;
    const changeName =
      statement === null ? (name?.[language] ?? null) : fillTemplate(alarmPhrases.statement[language], { number: statement });
    const values = { who: by || alarmPhrases.theServer[language], time: formatLocalTime(at, reader), command: command[language] };
    const path: PanelPath =
      statement === null || record === null ? `/audit?open=${audit}` : `/selfCustody/authority?open=${record}`;
    return changeName === null
      ? formatSentence(alarmLines.changed, values, path, reader)
      : formatSentence(alarmLines.changedRecord, { ...values, what: changeName }, path, reader);
  },
  crsmTrigger({ crsm, owner, icr, trigger, block, isStale }, reader) {
    const ratios = { icr: formatPercent(BigInt(icr)), trigger: formatPercent(BigInt(trigger)) };
    const values = { crsm, who: nameAddress(owner, reader), ...ratios, block: block.toString() };
    return formatSentence(
      isStale ? alarmLines.crsmTriggerStale : alarmLines.crsmTrigger,
      values,
      `/CRSMTrove/CRSMList?open=${crsm}`,
      reader,
    );
  },
  crsmStale({ crsm, owner, block, since }, reader) {
    const values = { crsm, who: nameAddress(owner, reader), block: block.toString(), time: formatLocalTime(since, reader) };
    return formatSentence(alarmLines.crsmStale, values, `/CRSMTrove/CRSMList?open=${crsm}`, reader);
  },
  tokenLeaked: (facts, reader) =>
    formatToken(facts.account === null ? alarmLines.provisioningTokenLeaked : alarmLines.tokenLeaked, facts, reader),
  tokenUsedLate: (facts, reader) => formatToken(alarmLines.tokenUsedLate, facts, reader),
  networksIgnored: ({ at }, reader) =>
    formatSentence(alarmLines.networksIgnored, { time: formatLocalTime(at, reader) }, '/permissions/role', reader),
  providerDisabledMany: ({ disabled, managed, at }, reader) =>
    formatSentence(
      alarmLines.providerDisabledMany,
      { disabled: String(disabled), managed: String(managed), time: formatLocalTime(at, reader) },
      '/permissions/administrator',
      reader,
    ),
  provisioningEnds: ({ token, lastFour, at }, reader) =>
    formatSentence(
      alarmLines.provisioningEnds,
      { token: `${token} (…${lastFour})`, time: formatLocalTime(at, reader) },
      '/permissions/identity',
      reader,
    ),
  guardedMapping: (facts, reader) => formatSentence(alarmLines.guardedMapping, facts, '/permissions/identity', reader),
  test: ({ by }, reader) => formatSentence(alarmLines.test, { who: by }, '/', reader),
};

const formatToken = (
  line: BilingualText,
  { account, name, token, lastFour, at }: AlarmFacts['tokenLeaked'],
  reader: ReaderContext,
) =>
  formatSentence(
    line,
    { account: name ?? '', token: `${token} (…${lastFour})`, time: formatLocalTime(at, reader) },
    account === null ? '/permissions/identity' : `/permissions/service?open=${account}`,
    reader,
  );

type PanelPath = RoutePath | `${RoutePath}?open=${string}`;

const formatSentence = (line: BilingualText, values: TemplateValues, path: PanelPath, { language }: ReaderContext): Sentence => ({
  text: fillTemplate(line[language], values),
  path,
});

const screens = new Map<string, BilingualText>(flattenMenu().map((node) => [node.path, node]));
const screenName = (path: RoutePath, language: Language): string => screens.get(path)?.[language] ?? path;

const formatLocalTime = (iso: string, { language, zone }: ReaderContext): string => formatTime(new Date(iso), language, zone);

const formatBtc = (satoshi: string, { language }: ReaderContext): string => formatAmount(BigInt(satoshi), 8, language);
const formatYbtc = (wei: string, { language }: ReaderContext): string => formatAmount(BigInt(wei), 18, language);

const reasonText = (reason: string | null, { language }: ReaderContext): string => reason ?? alarmPhrases.noReason[language];

function mintProblemText(problem: string | null, { language }: ReaderContext): string {
  const texts: Readonly<Record<string, BilingualText>> = mintProblemTexts;
  return (texts[problem ?? ''] ?? mintProblemTexts.other)[language];
}

/** `机构甲（0x12ab…ef90）`, or the address alone. */
function nameAddress(address: string, { language, names }: ReaderContext): string {
  const name = names.get(address);
  if (name === undefined) return address;
  return fillTemplate(alarmPhrases.named[language], {
    name: toPlainText(name),
    address: `${address.slice(0, 6)}…${address.slice(-4)}`,
  });
}

function formatDifference(supplyOff: string, ledgerOff: string, reader: ReaderContext): string {
  const { language } = reader;
  const describePart = (difference: bigint, surplusText: BilingualText, deficitText: BilingualText) =>
    difference === 0n
      ? []
      : [
          fillTemplate((difference > 0n ? surplusText : deficitText)[language], {
            amount: formatAmount(difference < 0n ? -difference : difference, 18, language),
          }),
        ];
  return [
    ...describePart(BigInt(supplyOff), differenceTexts.supplyMore, differenceTexts.supplyLess),
    ...describePart(BigInt(ledgerOff), differenceTexts.ledgerMore, differenceTexts.ledgerLess),
  ].join(alarmPhrases.and[language]);
}
