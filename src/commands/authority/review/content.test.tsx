import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { zhPanel } from '../../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../../lib/i18n/zh-CN/resources.ts';
import { StatementHash, type OwnHash } from './content.tsx';

const [hash, otherHash] = ['a'.repeat(64), 'b'.repeat(64)];
const renderHash = (ownHash: Partial<OwnHash>) =>
  renderToStaticMarkup(<StatementHash own={{ hash: undefined, error: null, again: () => {}, ...ownHash }} hash={hash} />);
const verifiedLabel = '本页内容哈希（已核对一致）';

beforeAll(() => setDictionary('zh-CN', { ...zhPanel, ...zhResources }));

test('a hash is labeled as computed here only if it was', () => {
  expect(renderHash({ hash })).toContain(verifiedLabel);
  expect(renderHash({ hash })).toContain(hash);
  expect(renderHash({ hash: otherHash })).toContain('请勿签署');
});

test.each([
  ['while it is computed', {}, '加载中…'],
  ['when it could not be', { error: new Error('no file') }, '重试'],
])('%s the log’s own hash is not shown in its place', (_when, ownHash, expectedText) => {
  expect(renderHash(ownHash)).toContain(expectedText);
  expect(renderHash(ownHash)).not.toContain(verifiedLabel);
  expect(renderHash(ownHash)).not.toContain(hash);
});
