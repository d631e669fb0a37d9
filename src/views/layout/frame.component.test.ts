import { afterEach, expect, test, vi } from 'vitest';
import { commands, page } from 'vitest/browser';
import { flattenMenu } from '../../../api/menu.ts';
import { build } from '../../../testing/factories/build.ts';
import { mockRoutes } from '../../testing/api.ts';
import { press } from '../../testing/keys.ts';
import { $expiry } from '../../lib/session/session.ts';
import { checkedRows, listRows } from '../../testing/list.ts';
import { openPage, runInPalette, signIn, setTestLocale, openSignedOut } from '../../testing/panel.tsx';
import { expectHidden, expectPath, textContents } from '../../testing/locators.ts';

setTestLocale('en-US');

afterEach(async () => {
  await page.viewport(1440, 900);
  await commands.emulateMedia({ media: null, colorScheme: null });
});

test('every icon button shows its name and keys on hover and on keyboard focus', async () => {
  await signIn('all', '/news');
  const tooltip = page.css('[data-tip-shown]');
  await page.css('[data-command="language.switch"]').hover();
  await expect.element(tooltip).toHaveTextContent('Switch to 中文');
  await expect.element(tooltip).toHaveTextContent('I');
  await press('Escape');
  await expect.element(tooltip).toHaveLength(0);
  (page.css('[data-command="sidebar.toggle"]').element() as HTMLElement).focus();
  await press('Shift+Tab');
  await press('Tab');
  await expect.element(tooltip).toHaveTextContent('Ctrl');
});

test('a right click opens the row menu at the pointer, for all checked rows if it is one of them', async () => {
  await signIn('all', '/news');
  const menu = page.css('[role="menu"]');
  const visibleItems = () => menu.elements().filter((element) => element.checkVisibility());
  const title = (index: number) => listRows().nth(index).css('[data-column="title"]');
  await title(2).click({ button: 'right', position: { x: 20, y: 10 } });
  const editItem = page.getByRole('menuitem', { name: 'Edit news' });
  await expect.element(editItem).toBeVisible();
  await expect.poll(() => visibleItems()[0]?.textContent).toContain(title(2).css('span > span').first().element().textContent);
  const [titleBox, menuBox] = [title(2).element().getBoundingClientRect(), visibleItems()[0]?.getBoundingClientRect()];
  expect(Math.abs((menuBox?.x ?? 0) - titleBox.x - 20)).toBeLessThan(10);
  await press('Escape');
  await expect.element(page.getByRole('grid')).toHaveFocus();

  await press('x');
  await press('Shift+J');
  await expect.element(checkedRows()).toHaveLength(2);
  await title(3).click({ button: 'right' });
  await expect.poll(() => visibleItems()[0]?.textContent).toContain('2 selected');
  await expect.element(editItem).toHaveLength(0); // one record at a time
  await page.getByRole('menuitem', { name: 'Delete news' }).click();
  await expect.element(page.getByRole('alertdialog')).toHaveTextContent('2');
  await press('Escape');
  await expect.element(page.getByRole('alertdialog')).toHaveLength(0);

  await title(5).click({ button: 'right' }); // not among the checked ones
  await expect.element(editItem).toBeVisible();
  await press('Escape');
  await expect.poll(visibleItems).toHaveLength(0);
  const storedRoutes = new Promise((resolve) =>
    addEventListener('contextmenu', (event) => setTimeout(() => resolve(event.defaultPrevented)), { once: true }),
  );
  await title(5).click({ button: 'right', modifiers: ['Shift'] });
  expect(await storedRoutes).toBe(false);
  await expect.poll(visibleItems).toHaveLength(0);
});

test('a printed page has every loaded row, title, filter and time in black on white, and the screen is restored afterwards', async () => {
  await commands.emulateMedia({ colorScheme: 'dark' });
  await signIn('all', '/news?shown=true');
  await expect.element(listRows().first()).toBeVisible();
  const loadedCount = Number(page.getByRole('grid').element().getAttribute('aria-rowcount') ?? 0) - 1;
  expect(loadedCount).toBe(27);
  await commands.emulateMedia({ media: 'print', colorScheme: 'dark' });
  const printHeader = page.css('[data-print-head]');
  await expect.element(printHeader).toHaveTextContent('Printed 2');
  await expect.element(printHeader).toHaveTextContent('Filter: Status is Show');
  await expect.element(printHeader).toHaveTextContent(`${loadedCount} rows`);
  await expect.element(listRows()).toHaveLength(loadedCount);
  await expect.element(page.getByRole('heading', { name: 'News Manage' })).toBeVisible();
  await expectHidden(page.css('nav[aria-label="Menu"]'));
  await expectHidden(page.css('[data-command="news.add"]').first());
  const [row, nextRow] = listRows().elements();
  if (!row || !nextRow) throw new Error('there are no two rows');
  expect([getComputedStyle(row).color, getComputedStyle(document.querySelector('main') ?? row).backgroundColor]).toEqual([
    'rgb(0, 0, 0)',
    'rgb(255, 255, 255)',
  ]);
  expect(nextRow.getBoundingClientRect().top).toBeGreaterThanOrEqual(row.getBoundingClientRect().bottom - 1); // no overlap
  await commands.emulateMedia({ media: 'screen', colorScheme: 'dark' });
  await expect.element(printHeader).toHaveLength(0);
  await expect.element(document.documentElement).toHaveAttribute('data-theme', 'dark');

  const print = vi.spyOn(window, 'print').mockReturnValue();
  await runInPalette('page.print');
  await expect.poll(() => print.mock.calls).toHaveLength(1);
  print.mockRestore();
});

test('a dialog does not restyle the page, where only main scrolls', async () => {
  await signIn('all', '/news');
  await expect.poll(() => listRows().length).toBeGreaterThan(1);
  const root = document.documentElement;
  const observer = new MutationObserver(() => {});
  observer.observe(root, { attributes: true });
  await press('Control+k');
  await expect.element(page.css('[data-palette-input]')).toHaveFocus();
  expect(getComputedStyle(root).overflow).toBe('hidden');
  await press('Escape');
  await expect.element(page.css('[data-palette-input]')).toHaveLength(0);
  await press('?');
  await expect.element(page.getByRole('dialog')).toBeVisible();
  await press('Escape');
  await expect.element(page.getByRole('dialog')).toHaveLength(0);
  expect(observer.takeRecords().map(({ attributeName }) => attributeName)).toEqual([]);
  expect(root.style.overflow).toBe('hidden');
  await page.viewport(390, 844); // large text makes the bar wider than the page, so it must scroll
  await expect.poll(() => root.style.overflow).toBe('');
  await page.viewport(1440, 900);
  await expect.poll(() => root.style.overflow).toBe('hidden');
  await openSignedOut('/login');
  await expect.poll(() => root.style.overflow).toBe('');
});

test('the breadcrumb is left out on a tablet, where only its separator would fit', async () => {
  await page.viewport(768, 900);
  await signIn('all', '/permissions/role');
  await expect.element(page.getByRole('heading', { level: 1 })).toBeVisible();
  await expect.element(page.css('#crumbs')).not.toBeVisible();
});

test('the breadcrumb shows the current place, and each part is a link', async () => {
  await signIn('all', '/permissions/role');
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  await expect.poll(() => textContents(crumbs.getByRole('link'))).toEqual(['Permission Manag', 'Role management']);
  await expect.element(crumbs.getByRole('link', { name: 'Role management' })).toHaveAttribute('aria-current', 'page');
  await crumbs.getByRole('link', { name: 'Permission Manag' }).click();
  await expectPath('/permissions/administrator');
  await openPage('/news');
  await expect.element(crumbs).toHaveLength(0);
  await listRows().first().click();
  const name = page.css('[data-peek] h2');
  await expect.element(name).toBeVisible();
  await expect.element(crumbs.css('[aria-current]')).toHaveTextContent(name.element().textContent ?? '');
});

test('the breadcrumb of a record with a long name shows the places in full and shortens the name', async () => {
  const row = build.deposit();
  await signIn('all', '/selfCustody/deposit', {
    deposits: {
      list: mockRoutes.deposits.list.handler(() => ({
        rows: [row],
        nextCursor: null,
        prevCursor: null,
        count: { value: 1, kind: 'exact' },
      })),
      many: mockRoutes.deposits.many.handler(() => [row]),
    },
  });
  await listRows().first().click();
  const crumbs = page.getByRole('navigation', { name: 'Breadcrumbs' });
  const name = crumbs.css('[aria-current="page"]');
  await expect.element(name).toHaveTextContent('BTC');
  const isCut = (element: Element) => element.scrollWidth > element.clientWidth;
  expect(crumbs.css('a > span').elements().filter(isCut)).toEqual([]);
  expect(name.elements().filter(isCut)).toHaveLength(1);
});

test('the menu scrolls to the current page on a low screen', async () => {
  await page.viewport(1440, 500);
  await signIn('all', '/audit');
  const link = page.css('nav[aria-label="Menu"] a[aria-current="page"]');
  await expect.element(link).toHaveTextContent('Audit log');
  const bottomOf = (element: Element | null) => element?.getBoundingClientRect().bottom ?? NaN;
  await expect.poll(() => bottomOf(link.element().closest('nav')) - bottomOf(link.element())).toBeGreaterThanOrEqual(0);
});

test('search, filter and display share one line of a list beside a record at 1024 pixels', async () => {
  await page.viewport(1024, 768);
  await signIn('all', '/news');
  await listRows().first().click();
  await expect.element(page.css('[data-peek] h2')).toBeVisible();
  const centerOf = (element: Element) => {
    const { top, bottom } = element.getBoundingClientRect();
    return Math.round((top + bottom) / 2);
  };
  const filterButton = page.css('main [data-command="list.addFilter"]');
  await expect.element(filterButton).toBeVisible();
  const search = page.css('main [role="search"] input');
  await expect.poll(() => centerOf(search.element()) - centerOf(filterButton.element())).toBe(0);
});

test('on a small screen the commands are in the bottom bar, large enough for a thumb', async () => {
  await page.viewport(375, 740);
  await signIn('all', '/permissions/role');
  const commandToolbar = page.getByRole('toolbar', { name: 'Commands on this page' });
  const buttons = commandToolbar.getByRole('button');
  await expect.poll(() => textContents(buttons)).toEqual(['Add role', 'Filter', 'More', 'Commands']);
  await expect.element(page.getByRole('button', { name: 'Add role' })).toHaveLength(1); // not also in the header
  for (const button of buttons.elements()) {
    const { width, height, bottom } = button.getBoundingClientRect();
    expect(Math.min(width, height)).toBeGreaterThanOrEqual(44);
    expect(bottom).toBeGreaterThan(730);
  }
  await commandToolbar.getByRole('button', { name: 'Add role' }).click();
  await expect.element(page.getByRole('dialog', { name: 'Add role' })).toBeVisible();
  await press('Escape');
  await commandToolbar.getByRole('button', { name: 'More' }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Print this page' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Permission Manag' }).click();
  await expectPath('/permissions/administrator');
});

test('an icon keeps its size next to text that does not fit', async () => {
  await page.viewport(375, 740);
  await signIn('all', '/news');
  await press('Control+k');
  await page.css('[data-palette-input]').fill('news'); // long reasons of commands for other places, long record names
  const icons = page.css('[data-palette] [role="option"] .lucide');
  await expect.poll(() => icons.elements().length).toBeGreaterThan(8);
  const sizes = () => icons.elements().map((icon) => icon.getBoundingClientRect().width - Number(icon.getAttribute('width')));
  expect(sizes().filter((sizeDifference) => sizeDifference !== 0)).toEqual([]);
});

/** The specification's titles, verbatim, plus the panel's own. */
const titles = [
  'Home',
  'News Manage',
  'Feedback Manage',
  'Data Statistics',
  'Notice Manage',
  'Points Manage',
  'NFT Airdrop Manage',
  'Data Overview',
  'Permission Manag',
  'Self Custody',
  'CRSM',
  'Audit log',
  'API reference',
];

test('the menu has the specified titles and the header its texts, verbatim', async () => {
  await signIn('all', '/');
  const items = page.css('nav > ul > li > :is(a, button)');
  await expect.poll(() => textContents(items).toSorted()).toEqual(titles.toSorted());

  const header = page.getByRole('banner');
  await expect.element(header.getByText('Admin Panel', { exact: true })).toBeVisible();
  await header.getByRole('button', { name: /^Account/ }).click();
  await expect.element(page.getByRole('menuitem', { name: 'Change Password' })).toBeVisible();
  await expect.element(page.getByRole('menuitem', { name: 'Sign Out' })).toBeVisible();
});

test('the sign-in page has the specified texts', async () => {
  await openSignedOut('/login');
  await expect.element(page.getByRole('button', { name: 'Log In', exact: true })).toBeVisible();
  await expect.element(page.getByRole('button', { name: 'Connect wallet login', exact: true })).toBeVisible();
});

for (const { path, en } of flattenMenu().filter(({ children }) => !children)) {
  test(`${path} opens with its own title for a person with all permissions`, async () => {
    await signIn('all', path);
    expect(location.pathname).toBe(path);
    if (path !== '/') await expect.element(page.getByRole('heading', { level: 1 })).toHaveTextContent(new RegExp(`^${en}$`));
    await expect.poll(() => document.title).toBe(`${en} · Admin Panel`);
    const currentLink = page.getByRole('navigation', { name: 'Menu' }).css('[aria-current="page"]');
    await expect.poll(() => textContents(currentLink)).toEqual([en]);
  });
}

test('the warning before an absolute session limit is dismissed once, and typing continues', async () => {
  await signIn('all', '/news');
  await expect.element(listRows().first()).toBeVisible();
  await press('c');
  const title = page.getByRole('dialog', { name: 'Add news' }).getByLabelText('Title');
  await title.fill('Half');
  const warning = page.getByRole('alertdialog', { name: 'You’ll be signed out soon' });
  const expireIn = (ms: number) => $expiry.set({ idleSeconds: 3600, expiresAt: new Date(Date.now() + ms).toISOString() });
  expireIn(90_000);
  await expect.element(warning.getByRole('button', { name: 'Close' })).toHaveFocus();
  await press('Escape');
  await expectHidden(warning);
  await expect.element(title).toHaveFocus();
  await new Promise((resolve) => setTimeout(resolve, 1200)); // checked every second
  await expectHidden(warning);
  expireIn(60_000);
  await warning.getByRole('button', { name: 'Close' }).click();
  await expectHidden(warning);
  await expect.element(title).toHaveValue('Half');
});
