import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { signIn } from '../../../testing/panel.tsx';

const form = () => page.getByRole('dialog', { name: '新增新闻' });
const time = () => form().getByRole('textbox', { name: '时间' });
const findCalendar = () => page.css('[data-calendar]');

test("picking a day in the panel's calendar keeps the time of day, Enter closes it, and Escape closes only the calendar", async () => {
  await signIn('all', '/news');
  await openNews();
  await press('c');
  await time().fill('2026-01-31 09:30');
  await form().getByRole('button', { name: '用日历选择时间' }).click();
  await expect.element(findCalendar().getByRole('button', { name: '2026-01-31' })).toHaveFocus();
  await press('PageDown'); // February has no 31st
  await expect.element(findCalendar().getByRole('button', { name: '2026-02-28' })).toHaveFocus();
  await press('ArrowDown');
  await press('Enter');
  await expect.element(time()).toHaveValue('2026-03-07 09:30');
  await expect.element(findCalendar().getByRole('textbox', { name: '时刻' })).toHaveFocus();
  await press('Enter');
  await expect.poll(() => findCalendar().elements()).toHaveLength(0);
  await expect.element(form().getByRole('button', { name: '用日历选择时间' })).toHaveFocus();
  await press('Enter');
  await expect.element(findCalendar()).toBeVisible();
  await press('Escape');
  await expect.poll(() => findCalendar().elements()).toHaveLength(0);
  await expect.element(time()).toHaveValue('2026-03-07 09:30');
});

test('a day and a typed time of day are set by the keyboard alone, and a wrong time changes nothing', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('c');
  await time().fill('2026-01-31 09:30');
  await form().getByRole('button', { name: '用日历选择时间' }).click();
  await press('ArrowRight');
  await press('Enter');
  const timeOfDay = () => findCalendar().getByRole('textbox', { name: '时刻' });
  await timeOfDay().fill('25:00');
  await expect.element(time()).toHaveValue('2026-02-01 09:30');
  await expect.element(findCalendar().getByRole('button', { name: '设定时间' })).toBeDisabled();
  await timeOfDay().fill('1845');
  await press('Enter');
  await expect.poll(() => findCalendar().elements()).toHaveLength(0);
  await expect.element(time()).toHaveValue('2026-02-01 18:45');
});

test('a time typed in words is shown as a time, and replaces the words when the field loses focus', async () => {
  await signIn('all', '/news');
  await openNews();
  await press('c');
  await time().fill('2099年12月24日晚上6点');
  await expect.element(form().css('[data-understood]')).toHaveTextContent('2099-12-24 18:00');
  await expect.element(time()).toHaveValue('2099年12月24日晚上6点');
  await press('Tab');
  await expect.element(time()).toHaveValue('2099-12-24 18:00');
});

test("one Tab leads from a picture's address to the next field, and no date field is the browser's", async () => {
  await signIn('all', '/news');
  await openNews();
  await press('c');
  await form().getByRole('textbox', { name: '图片地址' }).fill('https://example.com/a.png');
  await press('Tab');
  await expect.element(time()).toHaveFocus();
  expect(document.querySelectorAll('input[type="date"],input[type="datetime-local"],input[type="time"]')).toHaveLength(0);
});
