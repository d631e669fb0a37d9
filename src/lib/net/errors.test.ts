import { expect, test } from 'vitest';
import { errors as enErrors } from '../i18n/en-US/frame/errors.ts';
import { errors as zhErrors } from '../i18n/zh-CN/frame/errors.ts';
import { enPanel } from '../i18n/en-US/index.ts';
import { zhPanel } from '../i18n/zh-CN/index.ts';
import { setDictionary } from '../i18n/i18n.ts';
import { ApiError } from './client.ts';
import { errorText } from './errors.ts';

test('the freeze error names no cause, because people also freeze by hand', () => {
  const frozenError = new ApiError('MONEY_FROZEN');
  setDictionary('en-US', { ...enPanel, errors: enErrors });
  expect(errorText(frozenError)).toBe('Money is frozen. You can’t do this until the freeze is lifted.');
  setDictionary('zh-CN', { ...zhPanel, errors: zhErrors });
  expect(errorText(frozenError)).toBe('资金操作已暂停，恢复前无法执行。');
});

test('an outage of the statistics database is named, and other outages are not blamed on it', () => {
  const outageError = new ApiError('UNAVAILABLE', 'r1', { what: 'statistics', retryAfter: 5 });
  setDictionary('en-US', { ...enPanel, errors: enErrors });
  expect(errorText(outageError)).toBe(
    'Visits aren’t available because their database isn’t responding, but everything else works.',
  );
  expect(errorText(new ApiError('UNAVAILABLE', 'r1', {}))).toBe('The service isn’t available right now. Try again later.');
  setDictionary('zh-CN', { ...zhPanel, errors: zhErrors });
  expect(errorText(outageError)).toBe('统计数据库无响应，暂时无法查看访问数据，其他功能不受影响。');
});
