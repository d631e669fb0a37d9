import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterEach, expect, test, vi } from 'vitest';
import type { WithdrawalRow } from '../../../api/withdrawals/contract.ts';
import { setDictionary } from '../../lib/i18n/i18n.ts';
import { enResources } from '../../lib/i18n/en-US/resources.ts';
import { zhResources } from '../../lib/i18n/zh-CN/resources.ts';
import { CoolingTime } from './cooling.tsx';

const initialTimeZone = process.env['TZ'];
afterEach(() => {
  vi.useRealTimers();
  if (initialTimeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = initialTimeZone;
});

test("the cooling clock shows days in the page's language and its end in the viewer's zone", () => {
  process.env['TZ'] = 'Asia/Shanghai';
  vi.useFakeTimers({ now: new Date('2026-03-05T00:00:00Z'), toFake: ['Date'] });
  const clockText = (coolsUntil: string) =>
    renderToStaticMarkup(createElement(CoolingTime, { row: { status: 'doing', coolsUntil } as WithdrawalRow }));
  setDictionary('zh-CN', zhResources);
  expect(clockText('2026-03-07T01:02:03.000Z')).toContain('剩余 2 天 01:02:03');
  expect(clockText('2026-03-05T01:02:03.000Z')).toContain('剩余 01:02:03');
  expect(clockText('2026-03-07T01:02:03.000Z')).toContain('title="2026-03-07 09:02"');
  setDictionary('en-US', enResources);
  expect(clockText('2026-03-07T01:02:03.000Z')).toContain('2d 01:02:03 left');
});
