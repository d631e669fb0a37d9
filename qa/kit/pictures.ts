import type { Page, PlaywrightTestProject } from '@playwright/test';
import { expect, steering, test as base, type Admin } from './index.ts';
import { openScreen, scenes, slug, tour, menuScreens, type Look, type Take } from './scenes.ts';

/** Baselines of every screen and state (README.md). */

interface LookOptions {
  theme: Look['theme'];
}

const test = base.extend<LookOptions>({ theme: ['light', { option: true }] });

const sizes = { 1440: { width: 1440, height: 900 }, 375: { width: 375, height: 740 } } as const;

/** `projects: looks()`. */
export function looks(
  wanted: readonly Look[] = [
    { locale: 'zh-CN', theme: 'light', width: 1440 },
    { locale: 'en-US', theme: 'dark', width: 1440 },
    { locale: 'zh-CN', theme: 'dark', width: 375 },
    { locale: 'en-US', theme: 'light', width: 375 },
  ],
): PlaywrightTestProject<LookOptions>[] {
  return wanted.map(({ locale, theme, width }) => {
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
  const begin = async (admin: Admin, theme: Look['theme'], path: string) => {
    const fixed = at === undefined ? null : new Date(at).getTime();
    await admin.page.addInitScript(
      ([stored, now]) => {
        localStorage.setItem('prefs.theme', stored);
        if (now !== null) Object.assign(window, { qaClock: { fixed: now } });
      },
      [theme, fixed] as const,
    );
    await admin.signIn(path);
  };
  const taking =
    (page: Page, path: string, name: string): Take =>
    async (state) => {
      await waitUntilSettled(page);
      const hidden = [...changingSelectors, ...(changingByScreen[path] ?? []), ...mask].map((selector) => page.locator(selector));
      await expect.soft(page).toHaveScreenshot(`${name}${state ? `.${state}` : ''}.png`, { mask: hidden });
    };

  for (const path of menuScreens.filter((one) => isWanted(slug(one))))
    test(slug(path), async ({ admin, page, theme }) => {
      test.setTimeout(120_000);
      await begin(admin, theme, path);
      const missing = await tour(page, path, taking(page, path, slug(path)));
      expect.soft(missing, 'states that did not appear').toEqual([]);
    });
  for (const [name, scene] of Object.entries(scenes).filter(([one]) => isWanted(one)))
    test(name, async ({ admin, page, theme }) => {
      await begin(admin, theme, scene.path);
      await openScreen(page, scene.path);
      await scene.act?.(page);
      await taking(page, scene.path, name)('');
      await scene.after?.(page);
    });
}

async function waitUntilSettled(page: Page): Promise<void> {
  await page.evaluate(async () => {
    const came = () => performance.getEntriesByType('resource').length;
    for (let tries = 0, still = 0, last = came(); tries < 100 && still < 10; tries++) {
      await new Promise((resolve) => setTimeout(resolve, 50));
      still = came() === last ? still + 1 : 0;
      last = came();
    }
    await Promise.all(
      [...document.images].filter(({ loading }) => loading !== 'lazy').map((image) => image.decode().catch(() => {})),
    );
    await document.fonts.ready;
  });
}
