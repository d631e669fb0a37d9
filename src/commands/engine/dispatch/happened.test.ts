import { beforeAll, describe, expect, it } from 'vitest';
import { newsNames } from '../../../../api/news/names.ts';
import { rewardNames } from '../../../../api/rewards/names.ts';
import { enPanel } from '../../../lib/i18n/en-US/index.ts';
import { enResources } from '../../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { addNames } from '../../../lib/i18n/name-of.ts';
import { zhPanel } from '../../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../../lib/i18n/zh-CN/resources.ts';
import { happened, namedRun } from './happened.ts';

beforeAll(() => addNames({ ...newsNames, ...rewardNames }));

describe('what happened to what', () => {
  it('in Chinese', () => {
    setDictionary('zh-CN', { ...zhPanel, ...zhResources });
    expect(happened('news.hide', ['甲', '乙', '丙'], 3)).toBe('已隐藏 3 条新闻');
    expect(happened('news.show', ['主网上线'], 1)).toBe('已展示“主网上线”');
    expect(namedRun('news.show', ['主网上线'], 1)).toBe('展示新闻 “主网上线”');
    expect(happened('points.adjust', [], 0)).toBe('调整积分');
  });

  it('in English; a long name is shortened, many without a word for them are counted', () => {
    setDictionary('en-US', { ...enPanel, ...enResources });
    expect(happened('news.hide', ['a', 'b', 'c'], 3)).toBe('3 news items hidden');
    expect(happened('news.edit', ['x'.repeat(60)], 1)).toBe(`“${'x'.repeat(48)}…” updated`);
    expect(namedRun('points.reverse', ['a', 'b'], 2)).toContain('× 2');
  });
});
