import { beforeAll, describe, expect, test } from 'vitest';
import { sourceTexts } from '../../testing/source-texts.ts';
import { isButton, readLabel, oneWordButtons } from '../../testing/buttons.ts';
import {
  brokenRules,
  dictionaryTexts,
  helpTexts,
  nameTexts,
  pageTexts,
  serverTexts,
  type TextRule,
} from '../../testing/texts.ts';
import { enSignIn } from './en-US/access/sign-in.ts';
import { enPanel } from './en-US/index.ts';
import { enResources } from './en-US/resources.ts';
import { setDictionary, t, tMaybe } from './i18n.ts';

const dictionary = { ...enPanel, ...enResources };

/** Verbatim in specification.md, so exempt from the rules. */
const specifiedTexts = [
  'Admin Panel',
  'Change Password',
  'Sign Out',
  'Confirm the exit login',
  'Log In',
  'Connect wallet login',
  'Please enter the verification code',
  'Get Verification Code',
  'The account cannot be empty',
  'Password can not be blank',
  'Your current address is not a taproot address. Please switch to taproot address.',
  'An error occurred, please try again!',
  'Wallet connection disconnected, please log in again',
  'No account was detected',
  'Operation Successful',
  'Copy successful',
  'Sent Successfully',
  'Loading chunk failed',
  'Loading CSS chunk failed',
  'Show',
  'Not Show',
  'Untreated',
  'Processed',
  'Get News',
  'Mailbox',
  'Page location',
  'IP country',
  'Created address',
  "Captain's address",
  'Team total YU minted',
  'Lottery time',
  'Team size excluding the captain',
  "Captain's berries",
  'Total prize berries',
  'Jump link',
  'Home',
  'News Manage',
  'Feedback Manage',
  'Data Statistics',
  'Notice Manage',
  'Points Manage',
  'NFT Airdrop Manage',
  'Data Overview',
  'Permission Manag',
  'Self Custody',
  'CRSM',
] as const;

/** In characters. */
const longestButton = 36;

const singularWords = [
  'row entry day hour minute second notice role record field step administrator session signature approver deposit',
  'withdrawal statement airdrop CRSM key command picture character person screen function node address picture band',
]
  .join(' ')
  .replaceAll(' ', '|');

const rules: readonly TextRule[] = [
  {
    fault: 'a phrase that voice.md bans',
    find: /\b(?:anew|at once|stands? for|stands|goes on|go on|is told|somebody|nobody|everybody|anybody|whoever|by itself|may be left empty|as it stands|meanwhile|does not answer|doesn’t answer|of it|worth nothing|good for|put away|puts? right)\b/i,
    example: 'Nobody does it at once',
  },
  { fault: '“taken” for “accepted”', find: /(?<!Snapshot )\btaken\b(?! after)/, example: 'This content is not taken' },
  {
    fault: '“is no …” for “isn’t a …”',
    find: /(?<!\bthere )\b(?:is|are) no(?! (?:chart|list|longer|command)\b) [a-z]/i,
    example: 'This is no CSV file',
  },
  {
    fault: 'a right instead of a permission',
    find: /\brights?\b(?! (?:away|now|arrow|bracket)| ?[-‑]?click)(?<!and right)/i,
    example: 'You have no right to do this',
    except: { 'chart.keys': 'an arrow key', 'shell.key.right': 'an arrow key', 'shell.key.closeBracket': 'a bracket' },
  },
  { fault: 'mail or mailbox instead of email', find: /\b(?:mail|mails|e-mail|mailbox)\b/i, example: 'A link goes by mail' },
  {
    fault: 'log in or log out instead of sign in or sign out',
    find: /\blog(?:ged|ging)?[ -](?:in|out)\b/i,
    example: 'Logging in…',
  },
  { fault: 'bind or unbind instead of link or unlink', find: /\b(?:un)?(?:bind|binding|bound)\b/i, example: 'Unbind wallet' },
  {
    fault: 'the period before instead of the previous period',
    find: /period before/i,
    example: 'Compare with the period before',
  },
  { fault: 'Id instead of ID', find: /(?<![<"])\b(?:Id|id)\b(?!}})/, example: 'Chain id' },
  { fault: 'a semicolon', find: /;/, example: 'It failed; try again' },
  {
    fault: 'British spelling',
    find: /\b(?:cancell(?:ed|ing)|burnt|learnt|spelt|enrol(?:s|ment|ments)?|colou?rs?(?<!colors?)|\w*avour\w*|\w*haviour\w*|centre|licence|catalogue|judgement|whilst|\w+[aeiou]lis(?:e|ed|ing|ation)|\w+[gn]nis(?:e|ed|ing|ation)|customis\w+|organis\w+)\b/i,
    example: 'The mint was cancelled',
  },
  { fault: 'a straight apostrophe or quotation mark', find: /['"]/, example: "You can't do this", interfaceOnly: true },
  { fault: 'a straight apostrophe', find: /\w'\w/, example: "A node can't confirm itself" },
  {
    fault: 'words that are not contracted',
    find: /\b(?:cannot|can not|is not|are not|was not|were not|does not|do not|did not|has not|have not|will not|could not|you will|you have (?!permission|signed)(?:\w+ed)\b)\b/,
    example: 'This cannot be undone',
    interfaceOnly: true,
    except: { 'filter.isNot': 'a filter’s operator' },
  },
  { fault: 'a space before a percent sign', find: /[\d}] %/, example: '160.00 %' },
  {
    fault: 'a sentence whose subject is a pronoun from another sentence',
    find: /(?:^|[.?!:] )(?:It|It’s|They|They’re|Their|Its|Those|Them|That (?:is|was|does|did)\w*)\b/,
    example: 'Be sure first. It cannot be undone',
  },
  {
    fault: 'a clause as the subject',
    find: /(?:^|[.:] )(?:What|Who|Whoever|Whether|That which) [^?]*(?:$|\.)(?<!\?)/,
    example: 'What waits is unknown',
  },
  {
    fault: 'a plural beside one thing, or a singular beside several',
    find: new RegExp(
      String.raw`\b1 (?:more |valid |invalid |selected )?(?!(?:as|is|has|was|does|this|already|comes)\b|news item\b)[a-z]+s\b|\b3 (?:more |valid |invalid )?(?:${singularWords})\b|\b(?:3|\}\}) news\b(?! items)`,
    ),
    example: 'Delete 3 news',
  },
  {
    fault: 'a plural beside a number that may be 1',
    find: /\{\{\w+\}\} (?:(?:more|bad|invalid|selected) )?(?!(?:as|asks|begins|comes|does|has|is|mints|news|plus|signs|this|was)\b)[a-z]+s\b/,
    example: '{{n}} nodes',
    except: {
      'server/authority/verify-log.ts': 'two or more',
      'palette.blocked.tooMany': 'a limit',
      'batch.wholeBody': 'more than one batch',
      'batch.wideBody': 'more than one batch',
      'batch.noUndo': 'more than one batch',
      'page.rowsPart': 'a page of the list or more',
      'page.rowsLoaded': 'a page of the list or more',
      'rows.part': 'several are selected',
      'deposits.refused.OPEN': 'a limit',
      'crsm.review.batch': 'two or more',
    },
  },
  {
    fault: 'a button without an object',
    find: ({ key, text }) => isButton(key) && text.split(' ').length < 2,
    example: { key: 'crsm.ask.repay.act', text: 'Repay' },
    except: oneWordButtons,
  },
  {
    fault: 'a button that is too long',
    find: ({ key, text }) => isButton(key) && readLabel(text).length > longestButton,
    example: { key: 'news.ask.hide.act', text: 'Stop showing all of these selected news items' },
  },
  {
    fault: 'a canceling act next to Cancel',
    find: ({ key, text }) => isButton(key) && /^cancel/i.test(text),
    except: { 'common.cancel': 'closes the dialog' },
    example: { key: 'withdrawals.ask.cancel.act', text: 'Cancel withdrawal' },
  },
];

const specifiedSet = new Set<string>(specifiedTexts);

const texts = [
  ...dictionaryTexts(dictionary),
  ...dictionaryTexts(enSignIn, 'signIn'),
  ...nameTexts('en'),
  ...serverTexts('en'),
  ...pageTexts('en'),
  ...helpTexts('en-US'),
].filter(({ text }) => !specifiedSet.has(text));

/** Errors, logs and command output. */
const programTexts = [
  ...sourceTexts('server', (file) => !/^(?:dev|seed|testing|suites|migrations)\/|\/dev-/.test(file)),
  ...sourceTexts('qa/kit'),
  ...sourceTexts('scripts', (file) => /^(?:command|release)\/|^(?:start|setup|build|release|lock)\.mjs$/.test(file)),
  ...sourceTexts('api'),
  ...sourceTexts('src', (file) => !/^(?:lib\/i18n|testing)\/|\/testing\/|\/search\.ts$|\.tsx$/.test(file)),
].filter(({ text }) => !specifiedSet.has(text));

describe('English texts', () => {
  test('break no rule of voice.md', () => {
    expect(texts.length).toBeGreaterThan(2500);
    expect(brokenRules(rules, texts)).toEqual([]);
  });

  test('of programs break no rule of voice.md', () => {
    expect(programTexts.length).toBeGreaterThan(1000);
    const programExceptions = rules.filter(({ interfaceOnly }) => !interfaceOnly);
    expect(brokenRules(programExceptions, programTexts)).toEqual([]);
  });

  test.each(rules)('that break the rule "$fault" are found', ({ fault, example }) => {
    const ruleText = typeof example === 'string' ? { key: 'example', text: example } : example;
    expect(brokenRules(rules, [ruleText]).some((brokenRule) => brokenRule.startsWith(`${fault}: `))).toBe(true);
  });

  test('contain every string of the specification verbatim', () => {
    const allTexts = new Set([...dictionaryTexts(dictionary), ...nameTexts('en')].map(({ text }) => text));
    expect(specifiedTexts.filter((text) => !allTexts.has(text))).toEqual([]);
  });
});

describe('English numbers', () => {
  beforeAll(() => setDictionary('en-US', dictionary));

  test('are grouped, and one item is singular', () => {
    expect(t('imports.allIn', { n: 1, count: '1' })).toBe('1 row imported');
    expect(t('imports.allIn', { n: 1200, count: '1,200' })).toBe('1,200 rows imported');
    expect(t('imports.counts', { n: 1, total: '1', good: '0', bad: '1' })).toBe('1 row: 0 valid, 1 invalid');
    expect(t('imports.startCount', { n: 3000, count: '3,000' })).toBe('Import 3,000 rows');
    expect(t('permissions.count', { n: 1 })).toBe('1 node');
    expect(t('permissions.count', { n: 1200 })).toBe('1,200 nodes');
    expect(t('filter.time.pastDays', { n: '1' })).toBe('Past day');
    expect(tMaybe('airdrops.count', { count: 1 })).toBe('1 airdrop');
  });
});
