import type { NewsFields, NewsRow } from '../../api/news/contract.ts';
import type { NoticeFields, NoticeRow } from '../../api/notices/contract.ts';
import type { FeedbackRow } from '../../api/feedback/contract.ts';
import type { AirdropFields } from '../../api/rewards/airdrops.ts';
import type { PointsFields } from '../../api/rewards/points.ts';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import type { RoleFields } from '../../api/access/roles.ts';

let buildCount = 0;

/** EIP-55 needs no check here: digits have no case. */
const newAddress = () => `0x${String(++buildCount).padStart(40, '1')}`;
const recordTime = '2026-01-02T03:04:05.678Z';
const recordFields = () => ({ id: crypto.randomUUID(), version: 1, createdAt: recordTime, updatedAt: recordTime });

type RequiredFields<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

const newsFields = (overrides: Partial<RequiredFields<NewsFields>> = {}): RequiredFields<NewsFields> => ({
  title: 'Title',
  description: 'Text',
  image: 'https://a.example/1.png',
  time: recordTime,
  link: 'https://a.example/1',
  ...overrides,
});

const noticeFields = (overrides: Partial<NoticeFields> = {}): NoticeFields => ({
  content: 'Maintenance tonight',
  link: 'https://a.example/1',
  platform: 'all',
  startsAt: null,
  endsAt: null,
  ...overrides,
});

const depositFields = (overrides: Partial<DepositFields> = {}): DepositFields => ({
  userAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '150000000',
  coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  txid: String(++buildCount).padStart(64, 'a'),
  vout: 0,
  type: 'cobo',
  lockTime: null,
  remarks: '',
  ...overrides,
});

/** Objects of the API: `news` is a row as a list returns it, `newsFields` is what its form sends. A test names only what it is about. */
export const build = {
  newsFields,
  news: (overrides: Partial<NewsRow> = {}): NewsRow => ({
    title: 'Title',
    description: 'Text',
    image: 'https://a.example/1.png',
    time: recordTime,
    link: 'https://a.example/1',
    language: null,
    translatedTitle: null,
    translatedDescription: null,
    translatedLink: null,
    startsAt: null,
    endsAt: null,
    ...recordFields(),
    shown: false,
    ...overrides,
  }),
  noticeFields,
  notice: (overrides: Partial<NoticeRow> = {}): NoticeRow => ({
    ...noticeFields(),
    ...recordFields(),
    shown: false,
    creatorEmail: 'editor@demo.local',
    ...overrides,
  }),
  feedback: (overrides: Partial<FeedbackRow> = {}): FeedbackRow => ({
    ...recordFields(),
    email: 'visitor@example.com',
    content: 'The page stays empty',
    pictures: [],
    processed: false,
    processedAt: null,
    replies: [],
    ...overrides,
  }),
  airdropFields: (overrides: Partial<AirdropFields> = {}): AirdropFields => ({
    address: newAddress(),
    berries: '100',
    nftNumber: 2,
    nftLevel: 3,
    stage: 'Stage 1',
    ...overrides,
  }),
  pointsFields: (overrides: Partial<PointsFields> = {}): PointsFields => ({
    address: newAddress(),
    berries: '100',
    reason: 'Campaign',
    ...overrides,
  }),
  depositFields,
  deposit: (overrides: Partial<DepositRow> = {}): DepositRow => ({
    ...depositFields(),
    ...recordFields(),
    network: 'mainnet',
    status: 'created',
    mintStatus: 'none',
    withdrawStatus: 'default',
    modifiedEmail: 'operator@demo.local',
    confirmedAt: null,
    hash: 'b'.repeat(64),
    createdEmail: 'operator@demo.local',
    confirmedEmail: null,
    own: false,
    approvals: [],
    missing: 2,
    rule: { approvals: 2, role: null, perDay: null, delaySeconds: 0 },
    mint: null,
    block: null,
    ...overrides,
  }),
  roleFields: (overrides: Partial<RoleFields> = {}): RoleFields => ({
    name: `Role ${++buildCount}`,
    description: 'For a test',
    needsFactor: false,
    grants: [],
    ...overrides,
  }),
};
