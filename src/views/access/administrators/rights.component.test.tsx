import { flushSync } from 'react-dom';
import { createRoot } from 'react-dom/client';
import { expect, test } from 'vitest';
import { page } from 'vitest/browser';
import { setDictionary } from '../../../lib/i18n/i18n.ts';
import { zhPanel } from '../../../lib/i18n/zh-CN/index.ts';
import { zhResources } from '../../../lib/i18n/zh-CN/resources.ts';
import { EffectiveRights } from './rights.tsx';
import '../../../styles.css';

test('shows all roles that grant a permission, and labels them for screen readers', () => {
  setDictionary('zh-CN', { ...zhPanel, ...zhResources });
  const roles = ['Operations of the northern branch', 'Operations of the southern branch', 'Night shift'];
  const effectivePermission = {
    id: '1',
    parentId: null,
    kind: 'function',
    identifier: 'news.add',
    zh: '新增新闻',
    en: 'Add news item',
    roles,
  };
  const element = document.body.appendChild(document.createElement('div'));
  element.style.width = '360px';
  const root = createRoot(element);
  flushSync(() =>
    root.render(<EffectiveRights rights={[effectivePermission as Parameters<typeof EffectiveRights>[0]['rights'][number]]} />),
  );
  const roleSource = page.getByText('Night shift').element();
  expect(roleSource.textContent).toBe(`来源：${roles.join(' · ')}`);
  expect(roleSource.scrollWidth).toBeLessThanOrEqual(roleSource.clientWidth);
  expect(element.scrollWidth).toBeLessThanOrEqual(element.clientWidth);
  root.unmount();
  element.remove();
});
