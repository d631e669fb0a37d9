import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { nodeKindOf, type NodeRow } from '../../../../api/access/permissions.ts';
import { apiFailure, mockRoutes } from '../../../testing/api.ts';
import { press } from '../../../testing/keys.ts';
import { adminScript, signIn } from '../../../testing/panel.tsx';

const idOf = (n: number) => `01900000-0000-7000-8000-${String(n).padStart(12, '0')}`;
const nodeOf = (n: number, identifier: string, parent: number | null): NodeRow => ({
  id: idOf(n),
  version: 1,
  parentId: parent === null ? null : idOf(parent),
  kind: nodeKindOf(identifier),
  identifier,
  zh: identifier,
  en: identifier,
  hasEffect: true,
  roles: [],
});

/** Two screens with their functions, for a person with all permissions. */
async function openTree(): Promise<void> {
  let nodes = [
    nodeOf(1, '/news', null),
    nodeOf(2, 'news.add', 1),
    nodeOf(3, 'news.edit', 1),
    nodeOf(4, 'news.delete', 1),
    nodeOf(5, '/notices', null),
    nodeOf(6, 'notices.add', 5),
  ];
  await signIn('all', '/permissions/permission', {
    permissions: {
      tree: mockRoutes.permissions.tree.handler(() => nodes),
      many: mockRoutes.permissions.many.handler(({ input: { ids } }) => nodes.filter(({ id }) => ids.includes(id))),
      add: mockRoutes.permissions.add.handler(({ input: { to, identifier } }) => {
        const row = { ...nodeOf(7, identifier, null), parentId: to };
        nodes = [...nodes, row];
        return row;
      }),
      remove: mockRoutes.permissions.remove.handler(({ input: { id } }) => {
        if (!nodes.some((node) => node.id === id)) throw apiFailure('NOT_FOUND');
        const removedIds = nodes.filter((node) => node.id === id || node.parentId === id).map((node) => node.id);
        nodes = nodes.filter((node) => !removedIds.includes(node.id));
        return { removed: removedIds };
      }),
    },
  });
  await expect.element(node('news.add')).toBeVisible();
}

const node = (identifier: string) => page.css('[role="treeitem"]').filter({ hasText: identifier });
const currentNode = () => page.css('[role="treeitem"][aria-selected="true"]');
const confirmDialog = () => page.getByRole('alertdialog');

/** Deletes the current node by key. */
async function deleteCurrent(): Promise<void> {
  await press('#');
  await expect.element(confirmDialog().css('[data-consequences]')).toBeVisible();
  await confirmDialog().getByRole('button', { name: /删除/ }).click();
  await expect.poll(() => confirmDialog().elements()).toHaveLength(0);
}

test('deleting a node moves the cursor to the next line, or to the previous one at the end', async () => {
  await openTree();
  await node('news.edit').click();
  await deleteCurrent();
  await expect.element(currentNode()).toHaveTextContent('news.delete');
  await press('k');
  await expect.element(currentNode()).toHaveTextContent('news.add');
  await node('notices.add').click();
  await deleteCurrent();
  await expect.element(currentNode()).toHaveTextContent('/notices');
  await node('/news').click();
  await deleteCurrent(); // with all below it
  await expect.element(currentNode()).toHaveTextContent('/notices');
});

const addAt = (position: number) =>
  adminScript().run('permissions.add', {
    targets: [idOf(position)],
    params: { place: 'under', identifier: 'news.own', zh: 'news.own', en: 'news.own' },
  });

test('an added node is visible and has the cursor, although its parent was closed', async () => {
  await openTree();
  await node('/news').click();
  await press('ArrowLeft');
  await expect.element(node('/news')).toHaveAttribute('aria-expanded', 'false');
  await node('notices.add').click();
  await addAt(1);
  await expect.element(currentNode()).toHaveTextContent('news.own');
  await expect.element(node('/news')).toHaveAttribute('aria-expanded', 'true');
  await expect.element(page.css('[data-toast="success"]')).not.toHaveTextContent('不在当前筛选结果中');
});

test('adding a node that a search would hide ends the search', async () => {
  await openTree();
  const search = page.getByRole('searchbox');
  await search.fill('notices');
  await expect.poll(() => node('news').elements()).toHaveLength(0);
  await addAt(1);
  await expect.element(currentNode()).toHaveTextContent('news.own');
  await expect.element(search).toHaveValue('');
});
