import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { cursorRow, openNews } from '../../../testing/list.ts';
import { countNews } from '../../../testing/news.ts';
import { openPage, signIn } from '../../../testing/panel.tsx';

const form = () => page.getByRole('dialog');
const findConflict = () => page.css('[data-clash]');

/** Opens the form by key, types, and closes it with a draft. */
async function leaveDraft(key: string, field: string, text: string): Promise<void> {
  await press(key);
  await form().getByRole('textbox', { name: field }).fill(text);
  await press('Escape');
  await page.getByRole('button', { name: '保留草稿并关闭' }).click();
  await expect.element(form()).toHaveLength(0);
}

test('the draft of a new record is restored as typed, although its default time has changed', async () => {
  await signIn('all', '/news');
  await openNews();
  await leaveDraft('c', '时间', '2026-01-31 09:30');
  await press('c');
  await expect.element(form().getByRole('textbox', { name: '时间' })).toHaveValue('2026-01-31 09:30');
  await expect.element(findConflict()).toHaveLength(0);
});

test('the draft of a record that someone else changed shows their change', async () => {
  await signIn('all', '/news');
  await openNews(1);
  await leaveDraft('e', '标题', '我的');
  Object.assign(countNews()[0] ?? {}, { title: '对方的标题' });
  await openPage('/news');
  await expect.element(cursorRow()).toHaveTextContent('对方的标题');
  await press('e');
  await expect.element(form().getByRole('textbox', { name: '标题' })).toHaveValue('我的');
  await expect.element(findConflict()).toHaveTextContent('对方的标题');
});

test('values of a link that differ from an older draft are shown as a conflict', async () => {
  await signIn('all', '/news');
  await openNews();
  await leaveDraft('c', '标题', '我的');
  await openPage(`/~news.add?title=${encodeURIComponent('链接里的标题')}`);
  await expect.element(form().getByRole('textbox', { name: '标题' })).toHaveValue('我的');
  await expect.element(findConflict()).toHaveTextContent('链接里的标题');
});
