import { renderToStaticMarkup } from 'react-dom/server';
import { beforeAll, expect, test } from 'vitest';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { zhPanel } from '../../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../../lib/i18n/zh-CN/resources.ts';
import { StatementHash, type OwnHash } from './content.tsx';

const [hash, other] = ['a'.repeat(64), 'b'.repeat(64)];
const shown = (own: Partial<OwnHash>) =>
  renderToStaticMarkup(<StatementHash own={{ hash: undefined, error: null, again: () => {}, ...own }} hash={hash} />);
const checked = '本页内容哈希（已核对一致）';

beforeAll(() => setDictionary('zh-CN', { ...zhPanel, ...zhResources }));

test('a hash is labeled as computed here only if it was', () => {
  expect(shown({ hash })).toContain(checked);
  expect(shown({ hash })).toContain(hash);
  expect(shown({ hash: other })).toContain('请勿签署');
});

test.each([
  ['while it is computed', {}, '加载中…'],
  ['when it could not be', { error: new Error('no file') }, '重试'],
])('%s the log’s own hash is not shown in its place', (_when, own, says) => {
  expect(shown(own)).toContain(says);
  expect(shown(own)).not.toContain(checked);
  expect(shown(own)).not.toContain(hash);
});
