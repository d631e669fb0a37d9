import { flatMenu, type RoutePath } from '../../api/menu.ts';
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
  alarmWords,
  type AlarmKind,
} from './alarm-texts.ts';
import { mintStages } from '../deposits/shared/block-texts.ts';
import { toPlainText, type AlarmFacts } from './facts.ts';

export interface Reader {
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

export interface Wording {
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

export function wordingOf({ kind, subjects, at }: Alarm, reader: Reader): Wording {
  const { language } = reader;
  const time = timeOf(at.toISOString(), reader);
  const { title, next } = isKind(kind) ? alarmKinds[kind] : unknownKindText;
  return {
    title: title[language],
    at: time,
    lines: subjects.map((facts) => {
      const { text, path } = typeof facts === 'string' ? { text: facts, path: '' } : sentenceOf(kind, facts, reader, at);
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
function sentenceOf(kind: string, facts: unknown, reader: Reader, at: Date): Sentence {
  try {
    if (isKind(kind)) return sentenceOfKind(kind, facts as AlarmFacts[typeof kind], reader, at);
  } catch (error) {
    if (!(error instanceof TypeError || error instanceof SyntaxError || error instanceof RangeError)) throw error;
  }
  return { text: alarmWords.unreadable[reader.language], path: '' };
}

const sentenceOfKind = <K extends AlarmKind>(kind: K, facts: AlarmFacts[K], reader: Reader, at: Date): Sentence =>
  sentences[kind](facts, reader, at);

const dataPanel = '/selfCustody/dataPanel';

const sentences: { [K in AlarmKind]: (facts: AlarmFacts[K], reader: Reader, at: Date) => Sentence } = {
  freezeOpened({ cause, at, by, reason, supplyOff, ledgerOff }, reader) {
    const values = {
      time: timeOf(at, reader),
      who: by ?? alarmWords.unknownAccount[reader.language],
      reason: reasonOf(reason, reader),
    };
    if (cause === 'manual') return say(alarmLines.manualFreeze, values, dataPanel, reader);
    if (cause === 'refund') return say(alarmLines.refundFreeze, values, dataPanel, reader);
    return say(
      alarmLines.differenceFreeze,
      { ...values, difference: differenceOf(supplyOff, ledgerOff, reader) },
      dataPanel,
      reader,
    );
  },
  freezeLifted({ at, by, reason }, reader) {
    const who = by ?? alarmWords.unknownAccount[reader.language];
    return say(alarmLines.freezeLifted, { time: timeOf(at, reader), who, reason: reasonOf(reason, reader) }, dataPanel, reader);
  },
  reserveShort({ satoshi, bitcoinHeight, supply, block, shortfall }, reader) {
    const values = { reserve: btc(satoshi, reader), height: bitcoinHeight, supply: ybtc(supply, reader), block };
    return say(alarmLines.reserveShort, { ...values, shortfall: ybtc(shortfall, reader) }, dataPanel, reader);
  },
  reserveUnproven({ state, at, problem }, reader) {
    if (state === 'invalid') return say(alarmLines.reserveInvalid, {}, dataPanel, reader);
    const why = reserveProblemTexts[problem ?? 'unknown'][reader.language];
    if (state === 'none' || at === null) return say(alarmLines.reserveNone, { problem: why }, dataPanel, reader);
    return say(alarmLines.reserveOld, { time: timeOf(at, reader), problem: why }, dataPanel, reader);
  },
  watchSilent({ watch, since, state }, reader) {
    const values = { watch: watchNames[watch][reader.language], state: watchStateTexts[state ?? 'unfinished'][reader.language] };
    const path = watch === 'crsm' ? '/CRSMTrove/CRSMList' : dataPanel;
    return say(alarmLines.watchSilent, { ...values, time: timeOf(since, reader) }, path, reader);
  },
  refundUnmatched({ chainId, nonce, amount, from, receiver, receiverLength, deposit }, reader) {
    const values = { chain: chainId, nonce, amount: ybtc(amount, reader), who: whoOf(from, reader), deposit };
    return receiver === null
      ? say(alarmLines.refundNowhere, { ...values, length: receiverLength }, dataPanel, reader)
      : say(alarmLines.refundUnmatched, { ...values, receiver }, dataPanel, reader);
  },
  mintFailed({ deposit, recipient, amount, problem }, reader) {
    const values = { who: whoOf(recipient, reader), amount: ybtc(amount, reader), problem: mintProblem(problem, reader) };
    return say(alarmLines.mintFailed, values, `/selfCustody/deposit?open=${deposit}`, reader);
  },
  mintStuck({ deposit, recipient, amount, problem, state, since }, reader) {
    const values = {
      who: whoOf(recipient, reader),
      amount: ybtc(amount, reader),
      time: timeOf(since, reader),
      state: mintStateTexts[state][reader.language],
      problem: mintProblem(problem, reader),
    };
    return say(
      problem === null ? alarmLines.mintStuck : alarmLines.mintStuckBecause,
      values,
      `/selfCustody/deposit?open=${deposit}`,
      reader,
    );
  },
  depositWaits({ deposit, recipient, satoshi, by, since }, reader, at) {
    const values = {
      who: whoOf(recipient, reader),
      amount: btc(satoshi, reader),
      by,
      time: timeOf(since, reader),
      waited: formatDuration(at.getTime() - Date.parse(since), reader.language),
    };
    return say(alarmLines.depositWaits, values, `/selfCustody/deposit?open=${deposit}`, reader);
  },
  depositBlocked({ deposit, recipient, satoshi, output, reason, at, stage }, reader) {
    const values = { who: whoOf(recipient, reader), amount: btc(satoshi, reader), output, reason, time: timeOf(at, reader) };
    const path: Path = `/selfCustody/deposit?open=${deposit}`;
    return say(alarmLines.depositBlocked, { ...values, stage: mintStages[stage][reader.language] }, path, reader);
  },
  rulesChanged({ audit, at, by, command, record, name, statement }, reader) {
    const { language } = reader;
    const what =
      statement === null ? (name?.[language] ?? null) : fillTemplate(alarmWords.statement[language], { number: statement });
    const values = { who: by || alarmWords.theServer[language], time: timeOf(at, reader), command: command[language] };
    const path: Path = statement === null || record === null ? `/audit?open=${audit}` : `/selfCustody/authority?open=${record}`;
    return what === null
      ? say(alarmLines.changed, values, path, reader)
      : say(alarmLines.changedRecord, { ...values, what }, path, reader);
  },
  crsmTrigger({ crsm, owner, icr, trigger, block, isStale }, reader) {
    const ratios = { icr: formatPercent(BigInt(icr)), trigger: formatPercent(BigInt(trigger)) };
    const values = { crsm, who: whoOf(owner, reader), ...ratios, block: block.toString() };
    return say(
      isStale ? alarmLines.crsmTriggerStale : alarmLines.crsmTrigger,
      values,
      `/CRSMTrove/CRSMList?open=${crsm}`,
      reader,
    );
  },
  crsmStale({ crsm, owner, block, since }, reader) {
    const values = { crsm, who: whoOf(owner, reader), block: block.toString(), time: timeOf(since, reader) };
    return say(alarmLines.crsmStale, values, `/CRSMTrove/CRSMList?open=${crsm}`, reader);
  },
  test: ({ by }, reader) => say(alarmLines.test, { who: by }, '/', reader),
};

type Path = RoutePath | `${RoutePath}?open=${string}`;

const say = (line: BilingualText, values: TemplateValues, path: Path, { language }: Reader): Sentence => ({
  text: fillTemplate(line[language], values),
  path,
});

const screens = new Map<string, BilingualText>(flatMenu().map((node) => [node.path, node]));
const screenName = (path: RoutePath, language: Language): string => screens.get(path)?.[language] ?? path;

const timeOf = (iso: string, { language, zone }: Reader): string => formatTime(new Date(iso), language, zone);

const btc = (satoshi: string, { language }: Reader): string => formatAmount(BigInt(satoshi), 8, language);
const ybtc = (wei: string, { language }: Reader): string => formatAmount(BigInt(wei), 18, language);

const reasonOf = (reason: string | null, { language }: Reader): string => reason ?? alarmWords.noReason[language];

function mintProblem(problem: string | null, { language }: Reader): string {
  const texts: Readonly<Record<string, BilingualText>> = mintProblemTexts;
  return (texts[problem ?? ''] ?? mintProblemTexts.other)[language];
}

/** `机构甲（0x12ab…ef90）`, or the address alone. */
function whoOf(address: string, { language, names }: Reader): string {
  const name = names.get(address);
  if (name === undefined) return address;
  return fillTemplate(alarmWords.named[language], {
    name: toPlainText(name),
    address: `${address.slice(0, 6)}…${address.slice(-4)}`,
  });
}

function differenceOf(supplyOff: string, ledgerOff: string, reader: Reader): string {
  const { language } = reader;
  const one = (off: bigint, more: BilingualText, less: BilingualText) =>
    off === 0n
      ? []
      : [fillTemplate((off > 0n ? more : less)[language], { amount: formatAmount(off < 0n ? -off : off, 18, language) })];
  return [
    ...one(BigInt(supplyOff), differenceTexts.supplyMore, differenceTexts.supplyLess),
    ...one(BigInt(ledgerOff), differenceTexts.ledgerMore, differenceTexts.ledgerLess),
  ].join(alarmWords.and[language]);
}
