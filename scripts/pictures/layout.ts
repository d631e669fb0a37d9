import type { Page } from '@playwright/test';

/** A landmark, heading, column or control that a picture shows. */
export interface LayoutItem {
  role: string;
  name: string;
  /** Left, top, width and height in CSS pixels. */
  box: readonly [number, number, number, number];
}

/** Fonts of another machine move text by less. */
const tolerancePx = 24;

const rolesByTag: Readonly<Record<string, string>> = {
  HEADER: 'banner',
  NAV: 'navigation',
  MAIN: 'main',
  ASIDE: 'complementary',
  H1: 'heading',
  H2: 'heading',
  H3: 'heading',
  BUTTON: 'button',
};
const comparedRoles =
  'banner navigation main complementary search region toolbar dialog alertdialog heading columnheader button tab combobox textbox radio switch link'.split(
    ' ',
  );

/** What is on screen, with its place. Digits are masked, because times and counts pass. */
function readLayout(page: Page): Promise<LayoutItem[]> {
  const selector = [...Object.keys(rolesByTag), '[role]', 'input:not([type="checkbox"])', 'nav a[href]'].join(',');
  return page.locator(selector).evaluateAll(
    (elements, { roles, compared }) =>
      elements.flatMap((element) => {
        const { x, y, width, height } = element.getBoundingClientRect();
        const role =
          element.getAttribute('role') ??
          roles[element.tagName] ??
          (element.tagName === 'A' ? 'link' : element.getAttribute('type') === 'radio' ? 'radio' : 'textbox');
        const isOnScreen = x < innerWidth && y < innerHeight && x + width > 0 && y + height > 0;
        if (!compared.includes(role) || width < 2 || height < 2 || !isOnScreen) return [];
        if (!element.checkVisibility({ opacityProperty: true, visibilityProperty: true })) return [];
        const labels = (element.getAttribute('aria-labelledby') ?? '')
          .split(' ')
          .map((id) => (id ? document.getElementById(id)?.textContent : ''))
          .join(' ');
        const isContainer = /banner|navigation|main|complementary|search|region|toolbar|dialog/.test(role);
        const text = element.getAttribute('aria-label') ?? (labels.trim() || (isContainer ? '' : (element.textContent ?? '')));
        const name = text
          .trim()
          .replaceAll(/\s+/g, ' ')
          .replaceAll(/[+−-]?\d[\d.,:/-]*[KMB]?%?/g, '#')
          .slice(0, 80);
        return [
          { role, name, box: [x, y, width, height].map(Math.round) as unknown as readonly [number, number, number, number] },
        ];
      }),
    { roles: rolesByTag, compared: comparedRoles },
  );
}

/** Parts of a screen load one after the other. */
export async function waitUntilStill(page: Page): Promise<LayoutItem[]> {
  for (let previous = '', reads = 0; reads < 20; reads++) {
    const items = await readLayout(page);
    const current = JSON.stringify(items);
    if (current === previous) return items;
    previous = current;
    await page.waitForTimeout(700);
  }
  throw new Error('the screen did not come to rest');
}

/** One line for each control that is gone, new or elsewhere. Empty: the picture shows the screen. */
export function layoutChanges(pictured: readonly LayoutItem[], current: readonly LayoutItem[]): string[] {
  const rest = [...current];
  const changes: string[] = [];
  for (const item of pictured) {
    const alike = rest.filter(({ role, name }) => role === item.role && name === item.name);
    const nearest = alike.toSorted((one, other) => distance(item, one) - distance(item, other))[0];
    if (!nearest) {
      changes.push(`gone: ${nameOf(item)}`);
      continue;
    }
    rest.splice(rest.indexOf(nearest), 1);
    if (distance(item, nearest) > tolerancePx)
      changes.push(`moved: ${nameOf(item)} from ${item.box.join(' ')} to ${nearest.box.join(' ')}`);
  }
  return [...changes, ...rest.map((item) => `new: ${nameOf(item)}`)];
}

/** The largest difference of any edge. */
function distance({ box: [x, y, width, height] }: LayoutItem, { box: [left, top, across, down] }: LayoutItem): number {
  return Math.max(...[x - left, y - top, x + width - left - across, y + height - top - down].map(Math.abs));
}

const nameOf = ({ role, name }: LayoutItem): string => `${role} “${name}”`;
