import { beforeAll, describe, expect, it } from 'vitest';
import { allNames } from '../../../../api/all-names.ts';
import { registry } from '../../app/all.ts';
import { enPanel } from '../../../lib/i18n/en-US/index.ts';
import { enResources } from '../../../lib/i18n/en-US/resources.ts';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { addNames, bilingualName } from '../../../lib/i18n/name-of.ts';
import { zhPanel } from '../../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../../lib/i18n/zh-CN/resources.ts';
import type { AnyCommand } from '../define.ts';
import { resultText } from './result-text.ts';

const setChinese = () => setDictionary('zh-CN', { ...zhPanel, ...zhResources });
const setEnglish = () => setDictionary('en-US', { ...enPanel, ...enResources });
beforeAll(() => addNames(allNames));

describe('the success message', () => {
  it('is in Chinese', () => {
    setChinese();
    expect(resultText('news.hide', ['甲', '乙', '丙'], 3)).toBe('已隐藏 3 条新闻');
    expect(resultText('news.show', ['主网上线'], 1)).toBe('已展示“主网上线”');
    expect(resultText('withdrawals.add', [], 0)).toBe('已新增提现');
  });

  it('is in English, with long names shortened', () => {
    setEnglish();
    expect(resultText('news.hide', ['a', 'b', 'c'], 3)).toBe('3 news items hidden');
    expect(resultText('news.edit', ['x'.repeat(60)], 1)).toBe(`“${'x'.repeat(48)}…” updated`);
    expect(resultText('withdrawals.add', [], 0)).toBe('Withdrawal added');
    expect(resultText('session.changePassword', [], 0)).toBe('Password changed');
  });
});

const hasGeneratedText = ({ done, excludeFromHistory }: AnyCommand): boolean =>
  done !== undefined && !excludeFromHistory && !/toast|keyChangeResult/.test(String(done));

it.each([
  ['Chinese', setChinese],
  ['English', setEnglish],
] as const)('names the effect of every command without its own words, never its title, in %s', (_, setLocale) => {
  setLocale();
  const untranslatedCommands = registry.all
    .filter(hasGeneratedText)
    .filter(({ id }) => resultText(id, ['a name'], 1).startsWith(bilingualName(id)));
  expect(untranslatedCommands.map(({ id }) => id)).toEqual([]);
});
