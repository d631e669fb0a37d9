import type { Page, PlaywrightTestProject } from '@playwright/test';
import { expect, steering, test as base, type Admin } from './index.ts';
import { openScreen, scenes, slug, tour, menuScreens, type Look, type Take } from './scenes.ts';

/** Baselines of every screen and state (README.md). */

interface ThemeOptions {
  theme: Look['theme'];
}

const test = base.extend<ThemeOptions>({ theme: ['light', { option: true }] });

const sizes = { 1440: { width: 1440, height: 900 }, 375: { width: 375, height: 740 } } as const;

/** `projects: looks()`. */
export function looks(
  selectedLooks: readonly Look[] = [
    { locale: 'zh-CN', theme: 'light', width: 1440 },
    { locale: 'en-US', theme: 'dark', width: 1440 },
    { locale: 'zh-CN', theme: 'dark', width: 375 },
    { locale: 'en-US', theme: 'light', width: 375 },
  ],
): PlaywrightTestProject<ThemeOptions>[] {
  return selectedLooks.map(({ locale, theme, width }) => {
    const isPhone = width < 768;
    return {
      name: `${locale}.${theme}.${width}`,
      use: {
        locale,
        theme,
        timezoneId: 'Asia/Shanghai',
        viewport: { ...(isPhone ? sizes[375] : sizes[1440]), width },
        hasTouch: isPhone,
        isMobile: isPhone,
        contextOptions: { reducedMotion: 'reduce' },
      },
    };
  });
}

export interface PictureOptions {
  only?: readonly string[];
  /** Restored first by each worker. */
  restore?: string;
  at?: Date | string;
  /** Masked selectors. */
  mask?: readonly string[];
}

const changingSelectors = ['time', 'p:has(> time)', 'span:has(> time)', '[data-as-of]'];
const changingByScreen: Readonly<Record<string, readonly string[]>> = {
  '/audit': ['[role="grid"]', '[data-record]'],
  '/account': ['table'],
};

/** Defines a test per screen and overlay. */
export function pictures({ only, restore, at, mask = [] }: PictureOptions = {}): void {
  if (restore !== undefined) test.beforeAll(() => steering((environment) => environment.restore(restore)));
  const isWanted = (name: string) => only?.includes(name) ?? true;
  const openScene = async (admin: Admin, theme: Look['theme'], path: string) => {
    const fixedTime = at === undefined ? null : new Date(at).getTime();
    await admin.page.addInitScript(
      ([storedItems, now]) => {
        localStorage.setItem('prefs.theme', storedItems);
        if (now !== null) Object.assign(window, { qaClock: { fixed: now } });
      },
      [theme, fixedTime] as const,
    );
    await admin.signIn(path);
  };
  const createTake =
    (page: Page, path: string, name: string): Take =>
    async (state) => {
      await waitUntilSettled(page);
      const hiddenLocators = [...changingSelectors, ...(changingByScreen[path] ?? []), ...mask].map((selector) =>
        page.locator(selector),
      );
      await expect.soft(page).toHaveScreenshot(`${name}${state ? `.${state}` : ''}.png`, { mask: hiddenLocators });
    };

  for (const path of menuScreens.filter((name) => isWanted(slug(name))))
    test(slug(path), async ({ admin, page, theme }) => {
      test.setTimeout(120_000);
      await openScene(admin, theme, path);
      const missingStates = await tour(page, path, createTake(page, path, slug(path)));
      expect.soft(missingStates, 'states that did not appear').toEqual([]);
    });
  for (const [name, scene] of Object.entries(scenes).filter(([one]) => isWanted(one)))
    test(name, async ({ admin, page, theme }) => {
      await openScene(admin, theme, scene.path);
      await openScreen(page, scene.path);
      await scene.act?.(page);
      await createTake(page, scene.path, name)('');
      await scene.after?.(page);
    });
}

async function waitUntilSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const countResources = () => performance.getEntriesByType('resource').length;
    for (let attempt = 0, stableChecks = 0, lastCount = countResources(); attempt < 100 && stableChecks < 10; attempt++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      stableChecks = countResources() === lastCount ? stableChecks + 1 : 0;
      lastCount = countResources();
    }
    await Promise.all(
      [...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode().catch(() => {})),
    );
    await document.fonts.ready;
  });
}
