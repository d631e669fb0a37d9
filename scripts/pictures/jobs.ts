import {
  button,
  confirmByKey,
  confirmByMouse,
  filterByKey,
  fillByKey,
  fillByMouse,
  form,
  goTo,
  openByMenu,
  row,
  rows,
  search,
  submit,
} from './hands.ts';
import type { Hands, Job } from './hands.ts';

const newsFields = (title: string) => ({
  标题: title,
  描述: '正文',
  图片地址: 'https://example.com/a.png',
  链接: 'https://example.com/x',
});
const pointsFields = { 地址: '0x00000000219ab540356cbb839cbe05303d7705fa', 积分: '500', 原因: '活动奖励' };

/** Ten jobs of a usual day. */
export const jobs: Record<string, Job> = {
  publish: {
    what: 'Write a news item and show it on the website',
    keyboard: async (hands) => {
      await goTo(hands, 'n');
      await hands.press('c');
      await fillByKey(hands, newsFields('键盘一号'));
      await hands.page.locator('[data-cursor]').filter({ hasText: '键盘一号' }).waitFor();
      await hands.press('s');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      await hands.click(button(hands.page, 'news.add'));
      await fillByMouse(hands, newsFields('鼠标一号'));
      await submit(hands, '新增新闻');
      await hands.click(row(hands.page, '鼠标一号').getByRole('checkbox'));
      await hands.click(button(hands.page, 'news.show'));
      await confirmByMouse(hands);
    },
  },
  undo: {
    what: 'Take a news item off the website, and back again',
    keyboard: async (hands) => {
      await goTo(hands, 'n');
      await hands.press('j', 'h');
      await confirmByKey(hands);
      const shown = rows(hands.page).first().getByText('展示', { exact: true });
      await shown.waitFor({ state: 'detached' });
      await hands.press('Control+z');
      await shown.waitFor();
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      await hands.click(rows(hands.page).first().getByRole('checkbox'));
      await hands.click(button(hands.page, 'news.hide'));
      await confirmByMouse(hands);
      await hands.click(hands.page.getByRole('button', { name: '撤销' }).last());
      await rows(hands.page).first().getByText('展示', { exact: true }).waitFor();
    },
  },
  correct: {
    what: 'Find a news item by its title and correct it',
    keyboard: async (hands) => {
      await hands.press('Control+k');
      await hands.page.locator('[data-palette-input]').waitFor();
      await hands.type('键盘一');
      const found = hands.page.locator('[data-palette] [data-row^="news:"]').first();
      await found.waitFor();
      while ((await found.getAttribute('aria-selected')) !== 'true') await hands.press('ArrowDown');
      await hands.press('Enter');
      await hands.page.locator('[data-record]').waitFor();
      await hands.press('e');
      const title = form(hands.page).getByRole('textbox', { name: '标题' });
      await title.waitFor();
      await hands.press('End');
      await hands.type('!');
      await hands.press('Control+Enter');
      await title.waitFor({ state: 'detached' });
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      await search(hands, '鼠标一', 'mouse');
      await hands.click(row(hands.page, '鼠标一').getByRole('button', { name: /的操作/ }));
      await hands.click(hands.page.getByRole('menuitem', { name: /编辑新闻/ }));
      const title = form(hands.page).getByRole('textbox', { name: '标题' });
      await hands.click(title);
      await hands.press('End');
      await hands.type('!');
      await submit(hands, '编辑新闻');
      await title.waitFor({ state: 'detached' });
    },
  },
  delete: {
    what: 'Delete two news items at once',
    keyboard: async (hands) => {
      await goTo(hands, 'n');
      await hands.press('End', 'x', 'Shift+K', '#');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/news');
      for (const at of [-1, -2]) await hands.click(rows(hands.page).nth(at).getByRole('checkbox'));
      await hands.click(button(hands.page, 'news.delete'));
      await confirmByMouse(hands);
    },
  },
  process: {
    what: 'Mark the newest feedback processed',
    keyboard: async (hands) => {
      await goTo(hands, 'f');
      await hands.press('j', 'p');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/feedback');
      await hands.click(row(hands.page, '未处理').getByRole('checkbox'));
      await hands.click(button(hands.page, 'feedback.process'));
      await confirmByMouse(hands);
    },
  },
  triage: {
    what: 'Read five pieces of feedback and mark each processed',
    keyboard: async (hands) => {
      await goTo(hands, 'f');
      await hands.press('t');
      await five(hands, () => hands.press('d'));
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/feedback');
      await hands.click(button(hands.page, 'feedback.triage'));
      await five(hands, () => hands.click(button(hands.page, 'feedback.processNext')));
    },
  },
  points: {
    what: 'Give an address points',
    keyboard: async (hands) => {
      await goTo(hands, 'p');
      await hands.press('c');
      await fillByKey(hands, pointsFields);
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/points');
      await hands.click(button(hands.page, 'points.adjust'));
      await fillByMouse(hands, pointsFields);
      await submit(hands, '调整积分');
      await confirmByMouse(hands);
    },
  },
  disable: {
    what: 'Find a colleague and disable the account',
    keyboard: async (hands) => {
      await goTo(hands, 'm');
      await search(hands, 'analyst', 'keyboard');
      await hands.press('j', 'd');
      await confirmByKey(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/permissions/administrator');
      await search(hands, 'editor', 'mouse');
      await hands.click(row(hands.page, 'editor').getByRole('checkbox'));
      await hands.click(button(hands.page, 'administrators.disable'));
      await confirmByMouse(hands);
    },
  },
  audit: {
    what: 'Look up in the audit what a colleague did last',
    keyboard: async (hands) => {
      await goTo(hands, 'u');
      await filterByKey(hands, 'actor', 'ad', 'admin@');
      await hands.press('j', 'Enter');
      await hands.page.locator('[data-record]').waitFor();
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/audit');
      await hands.click(button(hands.page, 'list.addFilter'));
      await hands.click(hands.page.getByRole('option').first());
      await hands.click(hands.page.getByRole('option', { name: 'admin@' }));
      await hands.click(rows(hands.page).first());
      await hands.page.locator('[data-record]').waitFor();
    },
  },
  language: {
    what: 'Go to the overview and read it in English',
    keyboard: async (hands) => {
      await hands.press('g', 'o');
      await hands.page.waitForURL('**/overview');
      await hands.press('g', 'i');
      await hands.page.getByRole('heading', { level: 1, name: 'Data Overview' }).waitFor();
    },
    mouse: async (hands) => {
      await hands.click(hands.page.getByRole('navigation').locator('a[href="/overview"]'));
      await hands.page.waitForURL('**/overview');
      await hands.click(button(hands.page, 'language.switch'));
      await hands.page.getByRole('heading', { level: 1, name: 'Data Overview' }).waitFor();
    },
  },
};

/** Five times, each once the next piece is there to be read. */
async function five({ page }: Hands, act: () => Promise<void>): Promise<void> {
  const article = page.locator('[data-triage] article');
  for (let times = 0; times < 5; times++) {
    await article.waitFor();
    const read = await article.textContent();
    await act();
    await page.waitForFunction((text) => document.querySelector('[data-triage] article')?.textContent !== text, read);
  }
}
