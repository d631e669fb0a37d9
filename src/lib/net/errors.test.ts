import { expect, test } from 'vitest';
import { errors as enErrors } from '../i18n/en-US/frame/errors.ts';
import { errors as zhErrors } from '../i18n/zh-CN/frame/errors.ts';
import { setDictionary } from '../i18n/i18n.ts';
import { ApiError } from './client.ts';
import { errorText } from './errors.ts';

test('the freeze error names no cause, because people also freeze by hand', () => {
  const frozen = new ApiError('MONEY_FROZEN');
  setDictionary('en-US', { errors: enErrors });
  expect(errorText(frozen)).toBe('Money is frozen. You can’t do this until the freeze is lifted.');
  setDictionary('zh-CN', { errors: zhErrors });
  expect(errorText(frozen)).toBe('资金操作已暂停，恢复前无法执行。');
});
