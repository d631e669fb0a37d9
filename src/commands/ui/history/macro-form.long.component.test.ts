import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { press } from '../../../testing/keys.ts';
import { countNews } from '../../../testing/news.ts';
import { adminScript, runInPalette, signIn } from '../../../testing/panel.tsx';

const dialog = () => page.getByRole('dialog', { name: '新建宏' });
const steps = () => dialog().css('[data-step]');

async function openForm(): Promise<void> {
  await adminScript().run('news.hide', { targets: [countNews()[0]?.id ?? ''], confirm: true });
  await runInPalette('macros.add');
  await expect.element(page.getByRole('dialog', { name: '我的操作历史' }).getByRole('row').first()).toBeVisible();
  await press('x');
  await press('m');
  await expect.element(steps()).toHaveLength(1);
}

test('a macro has a name above its steps, and Ctrl+Enter saves it', async () => {
  await signIn('all', '/news');
  await openForm();
  await expect.element(steps()).toHaveTextContent('隐藏新闻');
  await dialog().getByLabelText('名称').fill('隐藏一条');
  await press('Control+Enter');
  await expect.element(page.getByRole('dialog', { name: '宏', exact: true })).toHaveTextContent('隐藏一条');
});

test('closing a changed macro asks first', async () => {
  await signIn('all', '/news');
  await openForm();
  const name = dialog().getByLabelText('名称');
  await name.fill('不展示一条');
  const discardDialog = page.getByRole('alertdialog', { name: '确定离开？内容尚未提交' });
  await press('Escape');
  await expect.element(discardDialog).toBeVisible();
  await discardDialog.getByRole('button', { name: '继续编辑' }).click();
  await expect.element(discardDialog).toHaveLength(0);
  await expect.element(name).toHaveValue('不展示一条');
  await press('Escape');
  await discardDialog.getByRole('button', { name: '丢弃并关闭' }).click();
  await expect.element(page.getByRole('dialog')).toHaveLength(0);
});
