import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { flattenMenu } from '../../api/menu.ts';
import { inTier, isLongRun } from '../../scripts/suite/tier.ts';
import { registry } from '../../src/commands/app/all.ts';
import { Admin, expect, test } from '../fixtures.ts';
import { axeViolations, type AxeScope } from '../support/axe.ts';

// The longest file. Its tests change nothing, so both workers share them.
test.describe.configure({ mode: 'parallel' });

const screens = flattenMenu().filter(({ children }) => !children);
type ThemeName = 'light' | 'dark' | 'contrast' | 'contrast light';
/**
 * `npm test` runs axe once per place, in Chinese and the light theme; src/lib/ui/tokens.test.ts
 * covers colors. The long run covers all looks.
 */
const defaultThemes = inTier<readonly ThemeName[]>(['light'], ['light', 'dark']);
const allThemes = inTier<readonly ThemeName[]>(defaultThemes, ['light', 'dark', 'contrast', 'contrast light']);
const secondLanguageThemes = inTier<readonly ThemeName[]>([], defaultThemes);

const colorRules = ['color-contrast', 'link-in-text-block'];
/** Fifty rows repeat the same few. */
const repeatedRows = '[role="grid"] [role="row"]:nth-child(n + 5)';
const menu = '#root nav'; // dialogs with breadcrumbs are outside the root
const overlayScope: AxeScope = { exclude: [menu, '[role="grid"] [role="row"]:nth-child(n + 3)'], except: inTier(colorRules, []) };

/** All rules, or those of `firstScope` in the first theme. Without it only truncation. */
async function expectAccessible(
  page: Page,
  surfaceName: string,
  themes: readonly ThemeName[],
  firstScope: AxeScope = {},
): Promise<void> {
  expect(await findCutOff(page), `${surfaceName}, cut off`).toEqual([]);
  for (const themeName of themes) {
    await page.evaluate((theme) => {
      document.documentElement.dataset['theme'] = theme === 'contrast' ? 'dark' : theme.replace('contrast ', '');
      document.documentElement.dataset['contrast'] = theme.startsWith('contrast') ? 'more' : 'normal';
    }, themeName);
    // Colors of fading text do not count.
    await page.waitForFunction(() => document.getAnimations().every(({ playState }) => playState !== 'running'));
    const axeScope = themeName === themes[0] ? firstScope : { only: colorRules };
    const violations = await axeViolations(
      page,
      isLongRun ? { ...axeScope, exclude: [] } : { exclude: [repeatedRows], ...axeScope },
    );
    expect(violations, `${surfaceName}, ${themeName}`).toEqual([]);
  }
}

interface Finding {
  value: readonly string[];
  ruleId: string;
  message: string;
  snippet: string;
  node?: Node;
}
interface AceEngine {
  Checker: new () => { check(node: Document, rulesetNames: string[]): Promise<{ results: readonly Finding[] }> };
}

async function injectEngine(page: Page): Promise<void> {
  const source = await readFile(new URL(import.meta.resolve('accessibility-checker-engine')), 'utf8');
  await page.addInitScript({ content: `${source}; window.ace = ace;` });
}

/** IBM's engine finds other problems than axe. One line each. */
async function checkWithAce(page: Page): Promise<string[]> {
  const { found, wordless } = await page.evaluate(async () => {
    const { Checker } = (window as unknown as { ace: AceEngine }).ace;
    const { results } = await new Checker().check(document, ['WCAG_2_2']);
    const failedFindings = results.filter(({ value: [kind, result] }) => kind === 'VIOLATION' && result === 'FAIL');
    // A label that only enlarges a checkbox's target is fine.
    const isTargetSizeFinding = ({ ruleId, node }: Finding): boolean =>
      ruleId === 'label_content_exists' &&
      node instanceof HTMLLabelElement &&
      node.control?.matches('[type="checkbox"]') === true;
    return {
      found: failedFindings
        .filter((finding) => !isTargetSizeFinding(finding))
        .map(({ ruleId, message, snippet }) => `${ruleId}: ${message}\n${snippet}`),
      wordless: failedFindings.filter(isTargetSizeFinding).length,
    };
  });
  return wordless === 0 ? found : [...found, ...(await namelessBoxes(page, wordless))];
}

/** In the browser's accessibility tree. `least`: expected number. */
async function namelessBoxes(page: Page, min: number): Promise<string[]> {
  const devtools = await page.context().newCDPSession(page);
  const { nodes } = await devtools.send('Accessibility.getFullAXTree');
  await devtools.detach();
  const checkboxes = nodes.filter(({ role, ignored }) => !ignored && role?.value === 'checkbox');
  const unnamedCheckboxes = checkboxes.filter(({ name }) => !name?.value).map(({ nodeId }) => `checkbox ${nodeId} has no name`);
  return checkboxes.length < min
    ? [...unnamedCheckboxes, `${checkboxes.length} of ${min} checkboxes are told of`]
    : unnamedCheckboxes;
}

const findOverflow = (page: Page): Promise<string[]> =>
  page.evaluate(() =>
    [...document.querySelectorAll('[role="grid"]')]
      .filter(({ scrollWidth, clientWidth }) => scrollWidth > clientWidth)
      .map(({ ariaLabel, scrollWidth, clientWidth }) => `${ariaLabel}: ${scrollWidth} in ${clientWidth} px`),
  );

async function openNews(admin: Admin): Promise<void> {
  await admin.open('/news?q=YBTC');
  await expect(admin.page.getByRole('row').nth(1)).toBeVisible();
  await admin.page.keyboard.press('j');
}

/** Controls beyond an edge without a scroll container. */
function findCutOff(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const isInScroller = (element: Element): boolean => {
      for (let ancestor = element.parentElement; ancestor && ancestor !== document.body; ancestor = ancestor.parentElement)
        if (['auto', 'scroll'].includes(getComputedStyle(ancestor).overflowX) && ancestor.scrollWidth > ancestor.clientWidth)
          return true;
      return false;
    };
    const outsideElements = [...document.querySelectorAll<HTMLElement>('a,button,input,select,textarea,[tabindex="0"]')]
      .filter(
        (finding) =>
          finding.checkVisibility({ visibilityProperty: true, opacityProperty: true }) && !finding.closest('.sr-only,[inert]'),
      )
      .filter((finding) => {
        const { left, right, width } = finding.getBoundingClientRect();
        return width > 1 && (left < -1 || right > innerWidth + 1) && !isInScroller(finding);
      })
      .map((finding) => finding.ariaLabel ?? finding.textContent?.trim() ?? finding.tagName);
    const overflowWidth = document.documentElement.scrollWidth - innerWidth;
    return overflowWidth > 0 ? [`the page itself, by ${overflowWidth} px`, ...outsideElements] : outsideElements;
  });
}

const dialog = (page: Page) => page.locator('[role="dialog"]:visible, [role="alertdialog"]:visible');

const surfaceSetups: Record<string, (admin: Admin) => Promise<void>> = {
  'the list with rows checked': async ({ page }) => {
    await page.keyboard.press('x');
    await page.keyboard.press('Shift+J');
    await expect(page.locator('[data-checked]')).toHaveCount(2);
  },
  'the list filtered to nothing': async ({ page }) => {
    await page.keyboard.press('/');
    await page.keyboard.type('no such news anywhere');
    await expect(page.locator('[role="row"]')).toHaveCount(0);
  },
  'the palette, nothing typed': async ({ page }) => {
    await page.keyboard.press('Control+k');
    await expect(page.locator('[data-palette] [role="option"]').first()).toBeVisible();
  },
  'the palette with commands, blocked ones and records': async ({ page }) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.press('Backspace');
    await page.keyboard.type('news');
    await expect(page.locator('[data-palette] [data-row="news.delete"]')).toBeVisible();
  },
  'the palette with nothing found': async ({ page }) => {
    await page.keyboard.press('Control+k');
    await page.keyboard.type('qqqqqqq');
    await expect(page.locator('[data-palette] [role="option"]')).toHaveCount(0);
  },
  'a choice in the palette': async (admin) => {
    await admin.palette('theme.set');
    await expect(admin.page.locator('[data-palette] [data-row="option:dark"]')).toBeVisible();
  },
  'a review in the palette': async (admin) => {
    await admin.palette('news.delete');
    await expect(admin.page.locator('[data-palette] h2')).toBeVisible();
  },
  'a confirmation': async ({ page }) => {
    await page.keyboard.press('#');
    await expect(page.getByRole('alertdialog')).toBeVisible();
  },
  'the key sheet': async ({ page }) => {
    await page.keyboard.press('?');
    await expect(dialog(page).locator('dt').first()).toBeVisible();
  },
  'the hint of a sequence': async ({ page }) => {
    await page.keyboard.press('g');
    await expect(
      page
        .getByRole('listitem')
        .filter({ has: page.locator('kbd') })
        .first(),
    ).toBeVisible();
  },
  'a record beside its list': async ({ page }) => {
    await page.keyboard.press('Enter');
    await expect(dialog(page).locator('[data-record]')).toBeVisible();
  },
  'a form': async ({ page }) => {
    await page.keyboard.press('c');
    await expect(dialog(page).getByRole('textbox').first()).toBeFocused();
  },
  'a form with everything missing': async ({ page }) => {
    await page.keyboard.press('c');
    await expect(dialog(page).getByRole('textbox').first()).toBeFocused();
    await page.keyboard.press('Control+Enter');
    await expect(dialog(page).locator('[aria-invalid="true"]').first()).toBeVisible();
  },
  'the picks of a feed': async ({ page }) => {
    await page.keyboard.press('i');
    await expect(dialog(page).getByRole('checkbox').or(dialog(page).getByRole('option')).first()).toBeVisible();
  },
  'a row menu': async ({ page }) => {
    await page.getByRole('grid').focus(); // an earlier surface may still be returning the focus
    await page.keyboard.press('Shift+F10');
    await expect(page.getByRole('menuitem').first()).toBeVisible();
  },
  'the account menu': async ({ page }) => {
    await page.getByRole('banner').getByRole('button', { name: /@/ }).click();
    await expect(page.getByRole('menuitem').first()).toBeVisible();
  },
  'a picture over the page': async ({ page }) => {
    await page.keyboard.press('Enter');
    // The demo's pictures may be missing on this server's disk.
    await dialog(page)
      .locator('[data-record] button')
      .filter({ has: page.locator('img,span[title]') })
      .click();
    await expect(page.locator('[data-lightbox]')).toBeVisible();
  },
  'feedback, one after the other': async (admin) => {
    await admin.open('/feedback?triage=on');
    await expect(admin.page.locator('[data-triage] article')).toBeVisible();
  },
  'a notice with undo': async (admin) => {
    const id = await admin.page.evaluate(() => document.querySelector('[data-cursor]')?.id.slice(-36) ?? '');
    const command = (await admin.assess('news.hide')).state === 'ok' ? 'news.hide' : 'news.show';
    await admin.run(command, { targets: [id], confirm: true });
    await expect(admin.page.locator('[data-toast="success"]')).toBeVisible();
  },
};

const accountSurfaces: Record<string, (admin: Admin, setUp: (statement: string) => Promise<unknown>) => Promise<void>> = {
  'changing the password, everything missing': async (admin) => {
    await admin.palette('session.changePassword');
    await expect(dialog(admin.page).locator('input[type="password"]')).toHaveCount(2);
    await admin.page.keyboard.press('Control+Enter');
    await expect(dialog(admin.page).locator('[aria-invalid="true"]')).toHaveCount(3);
  },
  'an authenticator app': async (admin, setUp) => {
    await setUp('update sessions set password_at = now()'); // an earlier test may have made the password stale
    await admin.palette('account.addTotp');
    await expect(dialog(admin.page).locator('[data-totp-secret]')).toBeVisible();
  },
  'a passkey': async (admin) => {
    await admin.palette('account.addPasskey');
    await expect(dialog(admin.page).getByRole('textbox')).toBeFocused();
  },
  'a wallet, none here': async (admin) => {
    await admin.palette('account.bindWallet');
    await expect(dialog(admin.page).getByRole('link').or(dialog(admin.page).getByRole('button')).first()).toBeVisible();
  },
  'the password asked for again': async (admin, setUp) => {
    await setUp('update sessions set password_at = null');
    await admin.palette('account.addTotp');
    await expect(dialog(admin.page).locator('input[autocomplete="current-password"]')).toBeFocused();
  },
  'what a colleague’s password asks for': async (admin, setUp) => {
    await setUp(`update administrators set password_expires_at = now() + interval '1 day' where email = 'admin@demo.local'`);
    await admin.open('/account');
    await expect(admin.page.getByRole('main').getByRole('status').first()).toBeVisible();
    await setUp('update administrators set password_expires_at = null');
  },
};

async function closeOverlays(page: Page): Promise<void> {
  const visibleOverlays = page.locator(
    '[role="dialog"]:visible, [role="alertdialog"]:visible, [role="menu"]:visible, [data-palette]:visible, [data-lightbox]',
  );
  await expect(async () => {
    if ((await visibleOverlays.count()) > 0) await page.keyboard.press('Escape');
    expect(await visibleOverlays.count()).toBe(0);
  }).toPass({ intervals: [50, 100, 200] });
  await page.evaluate(() => {
    for (const key of Object.keys(localStorage)) if (key.startsWith('draft')) localStorage.removeItem(key);
  });
}

/** Without a reload, which takes a second. */
async function closeAll(admin: Admin): Promise<void> {
  const { page } = admin;
  await closeOverlays(page);
  await admin.run('go.notices');
  await expect(page.getByRole('row').nth(1)).toBeVisible();
  await page.evaluate(() => {
    history.pushState(null, '', '/news?q=YBTC');
    dispatchEvent(new PopStateEvent('popstate'));
  });
  await expect(page).toHaveURL(`${admin.url}/news?q=YBTC`);
  await expect(page.getByRole('row').filter({ hasText: 'YBTC' }).first()).toBeVisible();
  await page.keyboard.press('j');
}

for (const locale of inTier<readonly ('zh-CN' | 'en-US')[]>(['zh-CN'], ['zh-CN', 'en-US'])) {
  test.describe(`axe finds no problem in ${locale}:`, () => {
    test.use({ locale, contextOptions: { reducedMotion: 'reduce' } });
    test.setTimeout(inTier(300_000, 600_000));
    const surfaceThemes = locale === 'zh-CN' ? defaultThemes : secondLanguageThemes;

    test('outside the layout', { tag: '@long' }, async ({ page, admin }) => {
      await page.goto(`${admin.url}/login`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page, '/login', surfaceThemes);
      await page.locator('form button[type="submit"]').click();
      await expect(page.locator('[aria-invalid="true"]')).toHaveCount(2);
      await expectAccessible(page, '/login, refused', surfaceThemes);
      await admin.signIn('all', '/');
      await page.goto(`${admin.url}/nowhere`);
      await page.waitForURL(`${admin.url}/404`);
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      await expectAccessible(page, '/404', surfaceThemes);
    });

    test('on every screen', async ({ page, admin }) => {
      test.setTimeout(inTier(300_000, 1_200_000)); // 22 screens, in test:all in every look
      if (isLongRun) await injectEngine(page);
      await admin.signIn('all', '/');
      for (const { path } of screens) {
        await page.locator(`nav a[href="${path}"]`).click();
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        // Colors do not depend on the language, and the menu is the same everywhere.
        const scopeOverrides = path === screens[0]?.path ? {} : { exclude: [menu, repeatedRows] };
        await expectAccessible(page, path, locale === 'zh-CN' ? allThemes : surfaceThemes, scopeOverrides);
        expect(await findOverflow(page), `${path} at 1440`).toEqual([]);
        if (isLongRun) expect(await checkWithAce(page), `${path}, by IBM's engine`).toEqual([]);
      }
      if (!isLongRun) return;
      await admin.open('/account');
      await expect(page.locator('[data-session="current"]')).toBeVisible();
      expect(await checkWithAce(page), "/account, by IBM's engine").toEqual([]);
    });

    test('on the account page, its dialogs, and the form for a new colleague', { tag: '@long' }, async ({ admin, db, page }) => {
      await admin.signIn('all', '/permissions/administrator');
      await expect(page.getByRole('grid')).toBeVisible();
      await page.keyboard.press('c');
      await expect(dialog(page).locator('input[autocomplete="new-password"]')).toBeVisible();
      await expectAccessible(page, 'a new colleague', surfaceThemes);
      await admin.open('/account');
      await expect(page.locator('[data-session="current"]')).toBeVisible();
      await expectAccessible(page, '/account', surfaceThemes);
      for (const [name, showSurface] of Object.entries(accountSurfaces)) {
        await test.step(name, async () => {
          await closeOverlays(page);
          if (!page.url().endsWith('/account')) await admin.run('go.account');
          await showSurface(admin, (statement) => db.query(statement));
          await expectAccessible(page, name, surfaceThemes, overlayScope);
        });
      }
    });

    test('on a chart, a point and its table', { tag: '@long' }, async ({ admin, page }) => {
      await admin.signIn('all', '/overview?compare=true');
      await expect(page.locator('[data-chart] canvas')).toBeVisible();
      await expect(page.getByRole('grid')).toBeVisible();
      await expectAccessible(page, 'a chart', surfaceThemes);
      await page.getByRole('application').focus();
      await page.keyboard.press('ArrowLeft');
      await expect(page.locator('[data-chart-said]')).not.toBeEmpty();
      await expectAccessible(page, 'a point of a chart', surfaceThemes.slice(0, 1));
      await page.keyboard.press('Shift+T');
      await expect(page.locator('[data-chart-table]')).toBeVisible();
      await expectAccessible(page, 'a chart as a table', surfaceThemes);
    });

    test('on every overlay', { tag: '@long' }, async ({ admin }) => {
      await admin.signIn('all', '/');
      for (const [name, showSurface] of Object.entries(surfaceSetups)) {
        await test.step(name, async () => {
          await closeAll(admin);
          await showSurface(admin);
          await expectAccessible(admin.page, name, surfaceThemes, overlayScope);
        });
      }
    });
  });
}

test.describe('axe finds no problem from right to left:', () => {
  test.use({ locale: 'he-IL', contextOptions: { reducedMotion: 'reduce' } });
  test.setTimeout(300_000);
  const themes = inTier<readonly ThemeName[]>([], ['light', 'contrast']); // names, roles and colors do not depend on the direction

  test('on the sign-in page, every screen, the palette, a form and the key sheet', { tag: '@long' }, async ({ page, admin }) => {
    await page.goto(`${admin.url}/login`);
    await expect(page.locator('[data-session="current"]')).toBeVisible();
    await expectAccessible(page, '/login', themes);
    await admin.signIn('all', '/');
    await openNews(admin);
    expect(await page.evaluate(() => document.documentElement.dir)).toBe('rtl');
    await expectAccessible(page, '/news', themes);
    for (const { path } of screens) {
      await page.locator(`nav a[href="${path}"]`).click();
      await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
      expect(await findCutOff(page), path).toEqual([]);
    }
    for (const name of ['the palette, nothing typed', 'a form', 'the key sheet', 'a record beside its list']) {
      await closeAll(admin);
      await surfaceSetups[name]?.(admin);
      await expectAccessible(page, name, themes);
    }
  });
});

const findSmallerThan = (size: number, page: Page) =>
  page.evaluate(
    (min) =>
      [...document.querySelectorAll<HTMLElement>('header a, header button, nav a, nav button')]
        .filter((finding) => finding.checkVisibility())
        .map((finding) => ({ name: finding.ariaLabel ?? finding.textContent, box: finding.getBoundingClientRect() }))
        .filter(({ box }) => Math.min(box.width, box.height) < min)
        .map(({ name, box }) => `${name} ${Math.round(box.width)} × ${Math.round(box.height)}`),
    size,
  );

test.describe('a small or enlarged screen', () => {
  test('cuts off nothing sideways at 375 px or at 200 % of 1280 on any screen', async ({ page, admin }) => {
    test.setTimeout(180_000);
    await admin.signIn('all', '/');
    const viewportSizes = [
      [375, 740],
      [640, 450],
    ] as const;
    for (const [width, height] of inTier<typeof viewportSizes | readonly (typeof viewportSizes)[0][]>(
      [viewportSizes[0]],
      viewportSizes,
    )) {
      await page.setViewportSize({ width, height });
      for (const path of [...screens.map((screen) => screen.path), '/account', '/404']) {
        const goCommand = registry.all.find(({ permission, id }) => permission === path && id.startsWith('go.'));
        if (goCommand) await admin.run(goCommand.id);
        else await page.goto(`${admin.url}${path}`);
        await expect(page).toHaveURL(`${admin.url}${path}`);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        expect(await findCutOff(page), `${path} at ${width}`).toEqual([]);
      }
      await openNews(admin);
      for (const name of [
        'the palette, nothing typed',
        'a form with everything missing',
        'a confirmation',
        'the key sheet',
        'a record beside its list',
      ]) {
        await closeAll(admin);
        await surfaceSetups[name]?.(admin);
        expect(await findCutOff(page), `${name} at ${width}`).toEqual([]);
      }
    }
  });

  test('axe finds no problem on a list and the account at 375 px', async ({ page, admin }) => {
    await page.setViewportSize({ width: 375, height: 740 });
    await admin.signIn('all', '/news');
    await expect(page.getByRole('toolbar')).toBeVisible();
    await expectAccessible(page, '/news at 375', defaultThemes, { except: inTier(colorRules, []) });
    await admin.run('go.account');
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await expectAccessible(page, '/account at 375', defaultThemes, { except: inTier(colorRules, []) });
  });

  test(
    'every command in the header and the menu is at least 24 px, 44 by touch',
    { tag: '@long' },
    async ({ browser, admin }) => {
      await admin.page.setViewportSize({ width: 1280, height: 800 });
      await admin.signIn('all', '/');
      expect(await findSmallerThan(24, admin.page), 'by mouse').toEqual([]);
      const context = await browser.newContext({ hasTouch: true, isMobile: true, viewport: { width: 390, height: 800 } });
      const touchAdmin = new Admin(await context.newPage(), admin.url);
      await touchAdmin.signIn('all', '/');
      expect(await findSmallerThan(44, touchAdmin.page), 'by touch').toEqual([]);
      await context.close();
    },
  );
});
