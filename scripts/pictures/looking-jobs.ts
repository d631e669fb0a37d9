import { button, filterByKey, form, goTo, openByMenu, rows, submit, type Hands, type Job } from './hands.ts';

/** Narrows the list by mouse: a field, then one of what it offers. */
async function filterByMouse(hands: Hands, field: string, label: string, value: string | RegExp): Promise<void> {
  await hands.click(button(hands.page, 'list.addFilter'));
  await hands.click(hands.page.getByRole('option', { name: label, exact: true }));
  await hands.click(hands.page.getByRole('option', { name: value }).first());
  await hands.page.locator(`[data-filter="${field}"]`).waitFor();
}

const connected = ({ page }: Hands) => page.locator('[data-evm]').waitFor();
/** Told which of them can follow, and which cannot. */
const part = ({ page }: Hands) => page.locator('[role="dialog"]:visible [data-part]').waitFor();
const review = ({ page }: Hands) => page.getByRole('alertdialog').getByText('可以通过').first().waitFor({ timeout: 60_000 });
const mined = ({ page }: Hands) => page.locator('[data-toast="success"]').getByText('操作成功').waitFor({ timeout: 60_000 });

/** Jobs of looking something up, and one of the chain's: one of the three CRSMs is the wallet's. */
export const lookingJobs: Record<string, Job> = {
  visits: {
    what: 'See the visits from a country last month',
    keyboard: async (hands) => {
      await goTo(hands, 's');
      await filterByKey(hands, 'country', 'de', '德国');
      await filterByKey(hands, 'time', 'lm', '上月');
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/statistics/dataView');
      await filterByMouse(hands, 'country', 'IP 国家/地区', /德国/);
      await filterByMouse(hands, 'time', '日期', /上月/);
    },
  },
  week: {
    what: 'Go through a colleague’s week in the audit',
    keyboard: async (hands) => {
      await goTo(hands, 'u');
      await filterByKey(hands, 'actor', 'ad', 'admin@');
      await filterByKey(hands, 'time', '7d', '7 天');
      await hands.press('j', 'Enter');
      await hands.page.locator('[data-record]').waitFor();
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/audit');
      await filterByMouse(hands, 'actor', '操作人', 'admin@');
      await filterByMouse(hands, 'time', '时间', /7 天/);
      await hands.click(rows(hands.page).first());
      await hands.page.locator('[data-record]').waitFor();
    },
  },
  claim: {
    what: 'Connect a wallet and claim, of all CRSMs, the yield that it can',
    onChain: true,
    keyboard: async (hands) => {
      await goTo(hands, 'c');
      await hands.press('Control+k');
      await hands.page.locator('[data-palette-input]').waitFor();
      await hands.type('ljqb');
      await hands.press('Enter');
      await hands.page.locator('[data-palette] [role="option"]').first().waitFor();
      await hands.press('Enter');
      await connected(hands);
      await hands.press('Control+a', 'Shift+C');
      await part(hands);
      await hands.press('Control+Enter');
      await review(hands);
      await hands.press('Tab', 'Enter');
      await mined(hands);
    },
    mouse: async (hands) => {
      await openByMenu(hands, '/CRSMTrove/CRSMList');
      await hands.click(button(hands.page, 'evm.connect'));
      await hands.choose(form(hands.page).getByRole('combobox'), 1);
      await submit(hands, '连接 EVM 钱包');
      await connected(hands);
      await hands.click(hands.page.getByRole('columnheader').getByRole('checkbox'));
      await hands.click(button(hands.page, 'crsm.claimYield'));
      await part(hands);
      await hands.click(
        hands.page
          .locator('[role="dialog"]:visible')
          .last()
          .getByRole('button', { name: /领取收益/ })
          .last(),
      );
      await review(hands);
      await hands.click(hands.page.getByRole('alertdialog').getByRole('button').last());
      await mined(hands);
    },
  },
};
