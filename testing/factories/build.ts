import type { NewsFields, NewsRow } from '../../api/news/contract.ts';
import type { NoticeFields, NoticeRow } from '../../api/notices/contract.ts';
import type { FeedbackRow } from '../../api/feedback/contract.ts';
import type { AirdropFields } from '../../api/rewards/airdrops.ts';
import type { PointsFields } from '../../api/rewards/points.ts';
import type { DepositFields, DepositRow } from '../../api/deposits/contract.ts';
import type { RoleFields } from '../../api/access/roles.ts';

let buildCount = 0;

/** EIP-55 needs no check here: digits have no case. */
const nextAddress = () => `0x${String(++buildCount).padStart(40, '1')}`;
const newestTime = '2026-01-02T03:04:05.678Z';
const record = () => ({ id: crypto.randomUUID(), version: 1, createdAt: newestTime, updatedAt: newestTime });

type Sent<Fields> = { [Name in keyof Fields]: Exclude<Fields[Name], undefined> };

const newsFields = (changes: Partial<Sent<NewsFields>> = {}): Sent<NewsFields> => ({
  title: 'Title',
  description: 'Text',
  image: 'https://a.example/1.png',
  time: newestTime,
  link: 'https://a.example/1',
  ...changes,
});

const noticeFields = (changes: Partial<NoticeFields> = {}): NoticeFields => ({
  content: 'Maintenance tonight',
  link: 'https://a.example/1',
  platform: 'all',
  startsAt: null,
  endsAt: null,
  ...changes,
});

const depositFields = (changes: Partial<DepositFields> = {}): DepositFields => ({
  userAddress: '0x52908400098527886E0F7030069857D2E4169EE7',
  amount: '150000000',
  coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
  txid: String(++buildCount).padStart(64, 'a'),
  vout: 0,
  type: 'cobo',
  lockTime: null,
  remarks: '',
  ...changes,
});

/** Objects of the API: `news` is a row as a list returns it, `newsFields` is what its form sends. A test names only what it is about. */
export const build = {
  newsFields,
  news: (changes: Partial<NewsRow> = {}): NewsRow => ({
    title: 'Title',
    description: 'Text',
    image: 'https://a.example/1.png',
    time: newestTime,
    link: 'https://a.example/1',
    language: null,
    translatedTitle: null,
    translatedDescription: null,
    translatedLink: null,
    startsAt: null,
    endsAt: null,
    ...record(),
    shown: false,
    ...changes,
  }),
  noticeFields,
  notice: (changes: Partial<NoticeRow> = {}): NoticeRow => ({
    ...noticeFields(),
    ...record(),
    shown: false,
    creatorEmail: 'editor@demo.local',
    ...changes,
  }),
  feedback: (changes: Partial<FeedbackRow> = {}): FeedbackRow => ({
    ...record(),
    email: 'visitor@example.com',
    content: 'The page stays empty',
    pictures: [],
    processed: false,
    processedAt: null,
    replies: [],
    ...changes,
  }),
  airdropFields: (changes: Partial<AirdropFields> = {}): AirdropFields => ({
    address: nextAddress(),
    berries: '100',
    nftNumber: 2,
    nftLevel: 3,
    stage: 'Stage 1',
    ...changes,
  }),
  pointsFields: (changes: Partial<PointsFields> = {}): PointsFields => ({
    address: nextAddress(),
    berries: '100',
    reason: 'Campaign',
    ...changes,
  }),
  depositFields,
  deposit: (changes: Partial<DepositRow> = {}): DepositRow => ({
    ...depositFields(),
    ...record(),
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
    ...changes,
  }),
  roleFields: (changes: Partial<RoleFields> = {}): RoleFields => ({
    name: `Role ${++buildCount}`,
    description: 'For a test',
    needsFactor: false,
    grants: [],
    ...changes,
  }),
};
