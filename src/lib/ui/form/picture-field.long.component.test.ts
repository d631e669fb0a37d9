import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { readCalls, apiFailure, holdResponses, mockRoutes } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { openNews } from '../../../testing/list.ts';
import { newsRoutes } from '../../../testing/news.ts';
import { signIn } from '../../../testing/panel.tsx';

const form = () => page.getByRole('dialog', { name: '编辑新闻' });
const saveButton = () => form().getByRole('button', { name: '保存' });
const url = 'https://pictures.example/new.png';

/** Drops a picture on a news form. The returned function ends its upload. */
async function dropPicture(addPicture: () => { id: string; url: string; width: number; height: number }): Promise<() => void> {
  const news = { ...newsRoutes(), edit: mockRoutes.news.edit.handler(() => throwQuotaError()) };
  await signIn('all', '/news', { news, pictures: { add: mockRoutes.pictures.add.handler(addPicture) } });
  const releaseResponse = holdResponses('pictures/add');
  await openNews(1);
  await press('e');
  await form()
    .css('input[type="file"]')
    .upload(new File(['picture'], 'new.png', { type: 'image/png' }));
  await expect.element(form().getByText('正在上传 new.png…')).toBeVisible();
  return releaseResponse;
}

const throwQuotaError = (): never => {
  throw apiFailure('FORBIDDEN');
};

test('saving during a picture upload waits for the upload and includes it', async () => {
  const releaseResponse = await dropPicture(() => ({ id: crypto.randomUUID(), url, width: 1, height: 1 }));
  await saveButton().click();
  await form().getByLabelText('标题').fill('Later');
  await expect.element(saveButton()).toHaveAttribute('aria-busy', 'true');
  expect(readCalls('news/edit')).toEqual([]);
  releaseResponse();
  await expect.poll(() => readCalls('news/edit').map(({ input }) => input)).toMatchObject([{ image: url, title: 'Later' }]);
});

test('a refused picture cancels saving', async () => {
  const releaseResponse = await dropPicture(() => {
    throw apiFailure('PICTURE_REFUSED', { reason: 'broken' });
  });
  await saveButton().click();
  releaseResponse();
  await expect.element(form().getByText('图片已损坏，请更换图片。')).toBeVisible();
  await expect.element(saveButton()).not.toHaveAttribute('aria-busy');
  expect(readCalls('news/edit')).toEqual([]);
  await saveButton().click();
  await expect.poll(() => readCalls('news/edit')).toHaveLength(1);
});
