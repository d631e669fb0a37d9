import { createElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { parseUnits } from '../../../../api/money.ts';
import { TimeField } from './time-field.tsx';
import { toStoredTime, normalizeUnits, toInputTime, timeOfDay } from './input-text.ts';
import { toBaseUnitsText } from './units-field.tsx';

const previousTimeZone = process.env['TZ'];
beforeAll(() => {
  process.env['TZ'] = 'Asia/Shanghai';
});
afterAll(() => {
  if (previousTimeZone === undefined) delete process.env['TZ'];
  else process.env['TZ'] = previousTimeZone;
});

const yuUnits = { unit: 'YU', decimals: 18 } as const;

test.each([
  ['10,000.5', '10000.5'],
  ['1,234,567', '1234567'],
  ['10000.5', '10000.5'],
  ['１０，０００．５', '10000.5'],
  ['1。5', '1.5'],
  ['０．００１', '0.001'],
  [' ．5　', '.5'],
])('%s in an amount field becomes %s', (enteredText, expectedText) => {
  expect(normalizeUnits(enteredText)).toBe(expectedText);
  expect(toBaseUnitsText(enteredText, yuUnits)).toBe(String(parseUnits(expectedText, 18)));
});

test.each([
  '1,5',
  '10,00',
  '1,0000',
  '1,000,5',
  '1.000,5',
  '1.5,000',
  '0,500',
  '01,000',
  ',500',
  '-1,000',
  '+1,000',
  '1,000 .5',
  '10²',
  '½',
])('%s in an amount field is not an amount and is unchanged', (enteredText) =>
  expect(toBaseUnitsText(enteredText, yuUnits)).toBe(`${enteredText} YU`),
);

test('a time typed in full-width characters is accepted', () => {
  expect(toStoredTime('2026-03-05 10：30')).toBe('2026-03-05T02:30:00.000Z');
  expect(toStoredTime('２０２６－０３－０５　１０：３０')).toBe('2026-03-05T02:30:00.000Z');
  expect(toStoredTime('2026-03-05 10：3')).toBe('2026-03-05 10：3');
});

test('a valid time in a form is formatted, and a partial one is shown as typed', () => {
  expect(toInputTime('2026-03-05T02:30:00.000Z')).toBe('2026-03-05 10:30');
  for (const enteredText of ['2026-3-5', '3', '2026-03-05', '2026-03-05 10:3', 'tomorrow', ''])
    expect(toInputTime(enteredText)).toBe(enteredText);
  const otherProps = { id: 'at', required: false, invalid: false, describedBy: undefined, labelledBy: 'label', autoFocus: false };
  const field = (value: string) => renderToStaticMarkup(createElement(TimeField, { ...otherProps, value, onChange: () => {} }));
  expect(field('2026-3-5')).toContain('value="2026-3-5"');
  expect(field('2026-03-05T02:30:00.000Z')).toContain('value="2026-03-05 10:30"');
});

test.for([
  ['9', '09:00'],
  ['18', '18:00'],
  ['930', '09:30'],
  ['9:30', '09:30'],
  ['１８：０５', '18:05'],
  ['24', null],
  ['9:60', null],
  ['9:3', null],
  ['', null],
  ['noon', null],
] as const)('the time of day "%s" is read as %s', ([enteredText, expected]) => expect(timeOfDay(enteredText)).toBe(expected));
