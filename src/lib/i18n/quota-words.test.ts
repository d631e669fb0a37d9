import { expect, test } from 'vitest';
import { errors as english } from './en-US/frame/errors.ts';
import { errors as chinese } from './zh-CN/frame/errors.ts';

test('the picture quota error names the limits and what to do, in both languages', () => {
  const [en, zh] = [english.code.PICTURE_QUOTA, chinese.code.PICTURE_QUOTA];
  expect(en({ pictures: 200, megabytes: 0 })).toContain('(200 pictures). Try again later');
  expect(en({ pictures: 200, megabytes: 50 })).toContain('(200 pictures, 50 MB)');
  expect(zh({ pictures: 200, megabytes: 0 })).toContain('（200 张）');
  expect([en({}), zh({})].join()).not.toMatch(/\(\)|（）|undefined/);
  expect(zh({ pictures: 0, megabytes: 50 })).toContain('（50 MB）');
});
