import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { callsOf, apiFailure, holdResponses, on } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';

const form = () => page.getByRole('dialog', { name: '编辑新闻' });
const save = () => form().getByRole('button', { name: '编辑新闻' });
const url = 'https://pictures.example/new.png';

/** Drops a picture on a news form. The returned function ends its upload. */
async function dropPicture(add: () => { id: string; url: string; width: number; height: number }): Promise<() => void> {
  const news = { ...newsRoutes(), edit: on.news.edit.handler(() => failing()) };
  await signIn('all', '/news', { news, pictures: { add: on.pictures.add.handler(add) } });
  const release = holdResponses('pictures/add');
  await openNews(1);
  await press('e');
  await form()
    .css('input[type="file"]')
    .upload(new File(['picture'], 'new.png', { type: 'image/png' }));
  await expect.element(form().getByText('正在上传 new.png…')).toBeVisible();
  return release;
}

const failing = (): never => {
  throw apiFailure('FORBIDDEN');
};

test('saving during a picture upload waits for the upload and includes it', async () => {
  const release = await dropPicture(() => ({ id: crypto.randomUUID(), url, width: 1, height: 1 }));
  await save().click();
  await form().getByLabelText('标题').fill('Later');
  await expect.element(save()).toHaveAttribute('aria-busy', 'true');
  expect(callsOf('news/edit')).toEqual([]);
  release();
  await expect.poll(() => callsOf('news/edit').map(({ input }) => input)).toMatchObject([{ image: url, title: 'Later' }]);
});

test('a refused picture cancels saving', async () => {
  const release = await dropPicture(() => {
    throw apiFailure('PICTURE_REFUSED', { reason: 'broken' });
  });
  await save().click();
  release();
  await expect.element(form().getByText('图片已损坏，请更换图片。')).toBeVisible();
  await expect.element(save()).not.toHaveAttribute('aria-busy');
  expect(callsOf('news/edit')).toEqual([]);
  await save().click();
  await expect.poll(() => callsOf('news/edit')).toHaveLength(1);
});
