import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { CommandId } from '../../api/names.ts';
import { contract } from '../../api/contract.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { newId } from '../../server/platform/core/ids.ts';
import { demoAccounts, seededRoles } from '../../server/seed/roles.ts';
import { hostileInputs } from '../../server/testing/hostile.ts';
import { registry } from '../../src/commands/app/all.ts';
import { records } from '../../src/commands/app/all-records.ts';
import { expect, test, type Admin } from '../fixtures.ts';

// Every command runs by script at least once, here or in its own spec. Undo must restore the
// record.

/** Covered by their own specs. */
const elsewhere: Partial<Record<CommandId, string>> = {
  'session.changePassword': 'account',
  'account.addPasskey': 'account',
  'account.removePasskey': 'account',
  'account.unbindWallet': 'wallet',
  'crsm.create': 'crsm',
  'crsm.updateData': 'crsm',
  'crsm.deposit': 'crsm',
  'crsm.withdrawFromSP': 'crsm',
  'crsm.claimYield': 'crsm',
  'crsm.claimAllCollateralGains': 'crsm',
  'crsm.updateCR': 'crsm',
  'crsm.commitDebtGasCompensation': 'crsm',
  'crsm.acceptDebtGasCompensation': 'crsm',
  'crsm.withdraw': 'crsm',
  'crsm.repay': 'crsm',
  'crsm.openPosition': 'crsm',
  'deposits.confirm': 'deposits',
  'dataPanel.freezeMoney': 'custody',
  'dataPanel.resolve': 'custody',
  'dataPanel.rename': 'custody',
  'evm.connect': 'withdrawals',
  'evm.switchChain': 'withdrawals',
  'feedback.processNext': 'feedback',
  'alarms.test': 'custody',
  'withdrawals.add': 'withdrawals',
  'withdrawals.requestRefund': 'withdrawals',
  'withdrawals.confirmRefund': 'withdrawals',
  'withdrawals.offerAgain': 'withdrawals',
  'withdrawals.cancel': 'withdrawals',
  'chart.table': 'overview',
  'chart.unit': 'overview',
  'chart.compare': 'overview',
  'chart.saveCsv': 'overview',
  'list.arrivals': 'keys',
  'authority.sign': 'authority',
  'authority.enrol': 'authority',
  'authority.removeApprover': 'authority',
  'authority.setRules': 'authority',
  'authority.setMinter': 'authority',
  'authority.addCustody': 'authority',
  'authority.removeCustody': 'authority',
  'authority.addReceiver': 'authority',
  'authority.removeReceiver': 'authority',
  'authority.freeze': 'authority',
  'authority.unfreeze': 'authority',
  'authority.open': 'authority',
  'authority.copyHash': 'authority',
  'authority.export': 'authority',
  'list.selectMatching': 'bulk',
  'batch.retry': 'bulk',
  'macros.run': 'history',
  'exportJobs.cancel': 'exports',
  'session.leaveView': 'view-as',
  'administrators.viewAs': 'view-as',
  'roles.viewAs': 'view-as',
  'news.preview': 'news-languages',
  'evm.stopWaiting': 'evm-wallet',
  'withdrawals.signRefund': 'withdrawals',
};

/** Refused here, because their targets need a chain, a wallet or a factor. */
const absent = 'NOT_FOUND|BAD_REQUEST|UNAVAILABLE';
const refusals: Partial<Record<CommandId, string>> = {
  'record.next': 'BLOCKED', // e2e/shortcuts/keys.spec.ts goes through records
  'record.previous': 'BLOCKED',
  'batch.stop': 'BLOCKED', // e2e/lists/bulk.spec.ts stops one by Escape and puts its report away
  'batch.close': 'BLOCKED',
  'account.removeTotp': `${absent}|FACTOR_STALE`,
  'account.newRecoveryCodes': `${absent}|FACTOR_STALE`,
  'crsm.open': absent,
  'crsm.copyAddress': absent,
  'crsm.explore': absent,
  'dataPanel.open': absent,
  'dataPanel.copyAddress': absent,
  'dataPanel.explore': absent,
  'deposits.retryMint': 'BLOCKED',
  'deposits.cancelMint': 'BLOCKED',
  'deposits.closeFailed': 'BLOCKED',
  'deposits.unblock': 'BLOCKED',
  'evm.disconnect': 'BLOCKED',
  'positionStats.open': absent,
  'positionStats.copyAddress': absent,
  'positionStats.explore': absent,
  'vaults.open': absent,
  'vaults.copyAddress': absent,
  'vaults.explore': absent,
  'withdrawals.open': absent,
  'withdrawals.copyReceiver': absent,
  'withdrawals.explore': absent,
};

const ran = new Set<CommandId>();
const undone = new Set<CommandId>();
type Options = Parameters<Admin['runAny']>[1];

test.use({ permissions: ['clipboard-read', 'clipboard-write'] });
test.beforeEach(() => test.setTimeout(150_000));

interface Row {
  id: string;
}

class Runner {
  readonly admin: Admin;
  readonly db: Client;
  constructor(admin: Admin, db: Client) {
    this.admin = admin;
    this.db = db;
  }

  async run<R = Row>(id: CommandId, options: Options = {}): Promise<R> {
    const command = registry.get(id);
    const asks = command?.confirm || command?.danger === 'irreversible' || command?.danger === 'money';
    const { done } = await this.admin.runAny(id, asks ? { ...options, confirm: true } : options);
    ran.add(id);
    return done[0] as R;
  }

  /** Runs it, undoes it, and compares the rows. */
  andBack<R = Row>(id: CommandId, options: Options, ...tables: string[]): Promise<R> {
    return this.#andBack<R>(id, options, tables, []);
  }

  /** A restored record is hidden, because showing it is another permission. */
  deletedAndBack(id: CommandId, options: Options, table: string): Promise<Row> {
    return this.#andBack(id, options, [table], ['shown', 'created_by', 'processed_by']);
  }

  async #andBack<R = Row>(id: CommandId, options: Options, tables: readonly string[], lost: readonly string[]): Promise<R> {
    const rowsNow = async () =>
      (await this.rows(tables)).map((row) => Object.fromEntries(Object.entries(row).filter(([name]) => !lost.includes(name))));
    const before = await rowsNow();
    const result = await this.run<R>(id, options);
    expect(await rowsNow(), `${id} changes something`).not.toEqual(before);
    await test.step(`${id} undone`, async () => {
      const undoing = this.admin.run('history.undo');
      ran.add('history.undo');
      const question = this.admin.page.getByRole('alertdialog');
      await Promise.race([undoing, question.waitFor()]);
      if (await question.isVisible()) await question.getByRole('button').last().click();
      await undoing;
      await expect(question).toHaveCount(0);
    });
    expect(await rowsNow(), `${id} undone`).toEqual(before);
    undone.add(id);
    return result;
  }

  /** Without the columns that every write changes. */
  async rows(tables: readonly string[]): Promise<Record<string, unknown>[]> {
    const found = await Promise.all(
      tables.map((table) =>
        this.db.query(
          `select to_jsonb(t) - 'version' - 'updated_at' - 'modified_by' - 'processed_at' as row from ${table} t order by 1`,
        ),
      ),
    );
    return found.flatMap(({ rows }) => rows.map(({ row }) => row as Record<string, unknown>)).filter((row) => !row['deleted_at']);
  }

  async idOf(table: string, where = 'true'): Promise<string> {
    const { rows } = await this.db.query(`select id from ${table} where ${where} limit 1`);
    if (!rows[0]) throw new Error(`no row of ${table} where ${where}`);
    return rows[0].id as string;
  }
}

const shownResources = (Object.keys(records) as (keyof typeof records)[]).flatMap((resource) => {
  const { place, restored } = records[resource];
  const verbs = ['add', 'edit', 'show', 'hide', 'restore', 'open', 'delete'];
  const hasAll = verbs.every((verb) => registry.all.some(({ id }) => id === `${resource}.${verb}`));
  return restored && hasAll ? [{ resource: resource as 'news' | 'notices', place, word: restored.as }] : [];
});

const address = (n: number) => toChecksumAddress(`0x${n.toString(16).padStart(40, 'a')}`);

test.describe('every command runs by script', { tag: '@long' }, () => {
  test.describe.configure({ mode: 'serial' }); // the last test counts what the others ran

  test('navigation, viewing and page commands', async ({ admin, page, db }) => {
    const runner = new Runner(admin, db);
    await admin.signIn('all', '/news');
    for (const { id } of registry.all.filter((command) => command.id.startsWith('go.'))) await runner.run(id);
    await runner.run('go.news');
    await expect(page.locator('[data-column="title"]').first()).toBeVisible();
    for (const id of [
      'list.next',
      'list.previous',
      'list.last',
      'list.first',
      'list.toggle',
      'list.extendDown',
      'list.extendUp',
    ] as const)
      await runner.run(id);
    for (const id of ['list.selectAll', 'list.copy', 'list.clear', 'list.refresh', 'list.filter'] as const) await runner.run(id);
    await page.keyboard.type('nothing has this title');
    await expect.poll(() => admin.assess('list.clearFilter')).toEqual({ state: 'ok' });
    await runner.run('list.clearFilter');
    await expect(page.locator('[data-column="title"]').first()).toBeVisible();
    await runner.run('list.next');
    for (const id of ['list.addFilter', 'list.like'] as const) {
      await runner.run(id);
      await expect(page.locator('[data-filter-menu]'), id).toBeVisible();
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await expect(page.locator('[data-filter-menu]'), id).toHaveCount(0);
    }
    for (const id of ['list.resetColumns', 'qa.toggle', 'qa.toggle'] as const) await runner.run(id);
    await runner.run('list.open');
    await expect(page.locator('[data-peek]')).toBeVisible();
    await runner.run('values.exact');
    for (const id of ['record.whole', 'record.close'] as const) await runner.run(id);
    await expect(page.locator('[data-peek]')).toHaveCount(0);
    await runner.run('list.next');
    for (const id of [
      'list.open',
      'list.columns',
      'palette.open',
      'keys.help',
      'keys.edit',
      'history.open',
      'macros.open',
      'exportJobs.open',
    ] as const) {
      await runner.run(id);
      const shown = page.locator('[role="dialog"]:visible');
      await expect(shown.first(), id).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(shown, id).toHaveCount(0);
    }
    for (const id of ['keys.export', 'keys.reset'] as const) await runner.run(id);
    await runner.run('keys.import', { params: { file: '{"format":"admin-panel-keys","version":1,"keys":{}}' } });
    await page.evaluate(() => (window.print = () => {}));
    await runner.run('page.print');
    for (const id of [
      'keys.single',
      'keys.single',
      'sidebar.toggle',
      'sidebar.toggle',
      'language.switch',
      'language.switch',
    ] as const) {
      await runner.run(id);
      await admin.ready();
    }
    await runner.run('theme.set', { params: { theme: 'dark' } });
    await runner.run('density.set', { params: { density: 'compact' } });
    await runner.run('qa.record');
    await runner.run('qa.expect', { params: { seen: 'text:News' } });
    await runner.run('qa.stopRecording');
    await page.keyboard.press('Escape');
    const { id: file } = await runner.run('points.export');
    await runner.run('exportJobs.download', { params: { export: file } });
    await runner.run('exportJobs.remove', { params: { export: file } });
    await runner.run('macros.add');
    await page.keyboard.press('Escape');
    await runner.run('history.repeat');
    await admin.open('/news?q=Run');
    const { id: view } = await runner
      .andBack('views.save', { params: { name: 'Run' } }, 'saved_views')
      .then(() => runner.run('views.save', { params: { name: 'Run' } }));
    await runner.run('views.copyLink', { params: { view } });
    await runner.run('views.open', { params: { view } });
    await runner.andBack('views.rename', { params: { view, name: 'Ran' } }, 'saved_views');
    await runner.andBack('views.delete', { params: { view } }, sameViews);
    await Promise.all([page.waitForEvent('load'), runner.run('panel.reload')]);
    await admin.ready();
    for (const [id, code] of Object.entries(refusals) as [CommandId, string][]) {
      const kind = registry.get(id)?.target.kind;
      const targets = id.startsWith('deposits.') ? [await runner.idOf('deposits', `status = 'created'`)] : [newId()];
      const params = ['deposits.cancelMint', 'deposits.closeFailed', 'deposits.unblock'].includes(id)
        ? { params: { reason: 'Run' } }
        : {};
      const options = { confirm: true as const, ...(kind === 'none' ? {} : { targets }), ...params };
      await expect(admin.runAny(id, options), id).rejects.toMatchObject({
        code: expect.stringMatching(new RegExp(`^(${code})$`)),
      });
      ran.add(id);
    }
  });

  for (const { resource, place, word } of shownResources)
    test(`content: ${resource}`, async ({ admin, page, db }) => {
      const runner = new Runner(admin, db);
      await admin.signIn('all', place);
      const table = resource.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const [params = {}] = hostileInputs(resource, { home: '', role: '' }, ['Run']);
      const [field = ''] = Object.entries(params).find(([, value]) => value === 'Run') ?? [];
      const add = `${resource}.add` as const;
      await runner.andBack(add, { params }, table);
      const { id } = await runner.run(add, { params });
      const on = { targets: [id] };
      await runner.andBack(`${resource}.edit`, { ...on, params: { [field]: 'Ran' } }, table);
      await runner.andBack(`${resource}.show`, on, table);
      await runner.run(`${resource}.show`, on);
      await runner.andBack(`${resource}.hide`, on, table);
      await runner.run(`${resource}.edit`, { ...on, params: { [field]: 'Second' } });
      const edit = await runner.idOf('audit', `entity = '${word}' and entity_id = '${id}' and action = 'edit' order by seq desc`);
      await runner.andBack(`${resource}.restore`, { targets: [`${word}:${edit}:before`] }, table);
      if (resource === 'notices') {
        await runner.run('notices.preview', on);
        await page.keyboard.press('Escape');
      }
      await runner.run(`${resource}.bin`);
      await admin.open(place);
      await runner.run(`${resource}.open`, on);
      if (resource === 'news') await runner.run('news.copyImage', on);
      await runner.deletedAndBack(`${resource}.delete`, on, table);
      await runner.run(`${resource}.delete`, on);
    });

  test('content: feeds and feedback', async ({ admin, page, db }) => {
    const runner = new Runner(admin, db);
    await admin.signIn('all', '/news');
    const feed = await runner.idOf('feed_items').catch(() => null);
    const picked = feed ?? (await feedItem(admin));
    await runner.andBack('news.get', { params: { ids: [picked] } }, 'news');
    const params = { ...hostileInputs('news', { home: '', role: '' }, ['Run'])[0] };
    const pair = [
      await runner.run('news.add', { params: { ...params, title: '合并' } }),
      await runner.run('news.add', { params: { ...params, title: 'Join' } }),
    ].map(({ id }) => id);
    const joined = { targets: pair, params: { kept: 'zh-CN', links: 'both', image: 'zh-CN', period: 'zh-CN' } };
    await runner.andBack('news.join', joined, 'news');
    await runner.run('news.join', joined);
    await runner.andBack('news.undoJoin', { targets: pair.slice(0, 1) }, 'news');

    await admin.open('/feedback');
    const onFeedback = { targets: [await runner.idOf('feedback', 'not processed')] };
    await runner.andBack('feedback.process', onFeedback, 'feedback');
    await runner.run('feedback.process', onFeedback);
    await runner.andBack('feedback.reopen', onFeedback, 'feedback');
    await runner.run('feedback.reply', { ...onFeedback, params: { content: 'Thank you' } });
    await runner.run('feedback.open', onFeedback);
    await page.keyboard.press('Escape');
    await runner.run('feedback.pictures', {
      targets: [await runner.idOf('feedback', 'id in (select feedback_id from feedback_pictures)')],
    });
    await page.keyboard.press('Escape');
    await runner.run('feedback.triage');
    await page.keyboard.press('Escape');
    await runner.deletedAndBack('feedback.delete', onFeedback, 'feedback');
    await runner.run('feedback.delete', onFeedback);
    await runner.run('feedback.bin');
    await admin.open('/feedback');
    await runner.andBack(
      'feedback.restore',
      {
        targets: [
          `feedback:${await runner.idOf('audit', `entity = 'feedback' and entity_id = '${onFeedback.targets[0]}' order by seq desc`)}:before`,
        ],
      },
      'feedback',
    );
  });

  async function feedItem(admin: Admin): Promise<string> {
    const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    const response = await admin.page.request.post(`${admin.url}/rpc/news/feed`, { headers: { authorization }, data: {} });
    const { json } = (await response.json()) as { json: { items: { id: string; known: boolean }[] } };
    const item = json.items.find(({ known }) => !known);
    if (!item) throw new Error('the feeds hold nothing new');
    return item.id;
  }

  test('rewards: points, airdrops, and the four imports', async ({ admin, page, db }) => {
    const runner = new Runner(admin, db);
    await admin.signIn('all', '/points');
    await runner.run('points.adjust', { params: { address: address(1), berries: '5', reason: 'run' } });
    const entry = { targets: [await runner.idOf('points', `reason = 'run'`)] };
    for (const id of ['points.open', 'points.copyAddress', 'points.explore', 'points.reverse'] as const)
      await runner.run(id, id === 'points.reverse' ? { ...entry, params: { reason: 'back' } } : entry);
    const { rows } = await db.query('select address from point_balances limit 1');
    for (const id of ['balances.open', 'balances.copyAddress', 'balances.explore'] as const)
      await runner.run(id, { targets: [rows[0].address] });
    await runner.run('points.view');

    await admin.open('/NFTAirdrop');
    const airdrop = { address: address(2), berries: '1', nftNumber: 9001, nftLevel: 1, stage: 's' };
    await runner.andBack('airdrops.add', { params: airdrop }, 'airdrops');
    const { id } = await runner.run('airdrops.add', { params: airdrop });
    const on = { targets: [id] };
    await runner.andBack('airdrops.edit', { ...on, params: { stage: 't' } }, 'airdrops');
    await runner.andBack('airdrops.setLevel', { ...on, params: { nftLevel: 3 } }, 'airdrops');
    await runner.andBack('airdrops.setStage', { ...on, params: { stage: 'u' } }, 'airdrops');
    await runner.run('airdrops.edit', { ...on, params: { stage: 'second' } });
    const audit = await runner.idOf('audit', `entity = 'airdrop' and entity_id = '${id}' and action = 'edit' order by seq desc`);
    await runner.andBack('airdrops.restore', { targets: [`airdrop:${audit}:before`] }, 'airdrops');
    for (const command of ['airdrops.open', 'airdrops.copyAddress', 'airdrops.explore'] as const) await runner.run(command, on);
    await runner.andBack('airdrops.delete', on, 'airdrops');
    await runner.run('airdrops.delete', on);
    await runner.run('airdrops.export');

    for (const { kind, place, undoes, head, good, bad } of [
      {
        kind: 'points',
        place: '/points',
        undoes: sums,
        head: 'address,berries,reason',
        good: `${address(3)},5,run`,
        bad: 'nobody,5,run',
      },
      {
        kind: 'airdrops',
        place: '/NFTAirdrop',
        undoes: 'airdrops',
        head: 'address,berries,nftNumber,nftLevel,stage',
        good: `${address(4)},5,9002,1,s`,
        bad: 'nobody,5,9003,1,s',
      },
      {
        kind: 'teams',
        place: '/statistics/datacaptain',
        undoes: 'teams',
        head: 'captain,yuMinted,size',
        good: `${address(5)},7,1`,
        bad: 'nobody,7,1',
      },
      {
        kind: 'draws',
        place: '/statistics/data0penBox',
        undoes: 'draws',
        head: 'time,captain,members,captainBerries,totalBerries',
        good: `2026-11-01T00:00:00Z,${address(6)},4,100,900`,
        bad: '2026-11-01T00:00:00Z,nobody,4,100,900',
      },
    ] as const) {
      await admin.open(place);
      await runner.run(`${kind}.imports`);
      await runner.run(`${kind}.importTemplate`);
      const bring = async (...lines: string[]) => {
        const params = { file: [head, ...lines].join('\n') };
        return runner.run<Row & { good: number; bad: number }>(`${kind}.import`, { params });
      };
      const half = await bring(good, bad);
      expect(half, kind).toMatchObject({ good: 1, bad: 1 });
      await runner.run(`${kind}.badRows`, { targets: [half.id] });
      await runner.run(`${kind}.cancelImport`, { targets: [half.id] });

      const before = await runner.rows([undoes]);
      for (const id of [`${kind}.startImport`, `${kind}.resumeImport`] as const) {
        const taken = { targets: [(await bring(good)).id] };
        const ended = (state: string) =>
          expect
            .poll(async () => (await db.query('select state from imports where id = $1', taken.targets)).rows[0]?.state, {
              timeout: 30_000,
            })
            .toBe(state);
        // Only an import that stopped can be resumed.
        if (id.endsWith('resumeImport'))
          await db.query(
            `update imports set state = 'failed', started_at = now(), ended_at = now() where id = $1`,
            taken.targets,
          );
        await runner.run(id, taken);
        await ended('done');
        expect(await runner.rows([undoes]), id).not.toEqual(before);
        await runner.run(`${kind}.undoImport`, taken);
        await ended('undone');
        expect(await runner.rows([undoes]), `${id} undone`).toEqual(before);
      }
      undone.add(`${kind}.startImport`);
    }
    await page.keyboard.press('Escape');
  });

  /** A restored view is a new one with the same name and address. */
  const sameViews = `(select name as id, name, place, query from saved_views)`;

  /** Entries stay, so only balances are compared. */
  const sums = '(select address as id, sum(berries) as berries from points group by address having sum(berries) <> 0)';

  test('access: administrators, roles, permission tree, audit', async ({ admin, db }) => {
    const runner = new Runner(admin, db);
    await admin.signIn('all', '/permissions/administrator');
    const role = await runner.idOf('roles', `seed = 'editor'`);
    const params = { email: 'run@example.com', password: 'harbour lantern seventeen', roles: [role], description: 'd' };
    await runner.andBack('administrators.add', { params }, 'administrators', 'administrator_roles');
    const { id } = await runner.run('administrators.add', { params: { ...params, email: 'run2@example.com' } });
    const on = { targets: [id] };
    await runner.andBack('administrators.edit', { ...on, params: { description: 'e' } }, 'administrators', 'administrator_roles');
    await runner.andBack('administrators.disable', on, 'administrators');
    await runner.run('administrators.disable', on);
    await runner.andBack('administrators.enable', on, 'administrators');
    await runner.run('administrators.enable', on);
    const wallet = { address: 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9' };
    await runner.andBack('administrators.bindWallet', { ...on, params: wallet }, 'administrators');
    await runner.run('administrators.bindWallet', { ...on, params: wallet });
    await runner.andBack('administrators.unbindWallet', on, 'administrators');
    await db.query(`update administrators set totp_secret = 'x' where id = $1`, [id]);
    for (const command of ['open', 'endSessions', 'resetFactor', 'resetPassword', 'delete'] as const)
      await runner.run(`administrators.${command}`, on);

    await admin.open('/permissions/role');
    const fields = { name: 'Run', description: 'd', grants: ['/news', 'news.add'] };
    await runner.andBack('roles.add', { params: fields }, 'roles', 'role_nodes');
    const { id: made } = await runner.run('roles.add', { params: fields });
    const onRole = { targets: [made] };
    await runner.andBack('roles.edit', { ...onRole, params: { grants: ['/news'] } }, 'roles', 'role_nodes');
    await runner.andBack('roles.copy', { ...onRole, params: { name: 'Run again' } }, 'roles', 'role_nodes');
    await runner.run('roles.open', onRole);
    await runner.run('roles.delete', onRole);

    await admin.open('/permissions/permission');
    const [newsNode, points] = [
      await runner.idOf('permission_nodes', `identifier = '/news'`),
      await runner.idOf('permission_nodes', `identifier = '/points'`),
    ];
    const node = { place: 'under', identifier: 'run.it', zh: '跑', en: 'Run' };
    await runner.andBack('permissions.add', { targets: [newsNode], params: node }, 'permission_nodes');
    const menu = { identifier: '/run-it', zh: '跑', en: 'Run' };
    await runner.andBack('permissions.addMenu', { params: menu }, 'permission_nodes');
    const { id: main } = await runner.run('permissions.addMenu', { params: menu });
    const submenu = { ...menu, identifier: '/run-it/on' };
    await runner.andBack('permissions.addSubmenu', { targets: [main], params: submenu }, 'permission_nodes');
    await runner.run('permissions.delete', { targets: [main] });
    const { id: own } = await runner.run('permissions.add', { targets: [newsNode], params: node });
    await runner.andBack('permissions.edit', { targets: [own], params: { en: 'Ran' } }, 'permission_nodes');
    await runner.andBack('permissions.move', { targets: [own], params: { to: points, place: 'under' } }, 'permission_nodes');
    await runner.run('permissions.delete', { targets: [own] });
    await runner.run('permissions.reset');

    await admin.open('/audit');
    await runner.run('audit.open', { targets: [await runner.idOf('audit')] });
    await runner.run('audit.export');
  });

  test('custody and statistics: commands without a chain', async ({ admin, page, db }) => {
    const runner = new Runner(admin, db);
    await admin.signIn('all', '/selfCustody/deposit');
    const deposit = {
      userAddress: toChecksumAddress(address(8)),
      amount: '1000',
      coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      txid: Date.now().toString(16).padStart(64, 'c'),
    };
    await runner.andBack('deposits.add', { params: deposit }, 'deposits');
    const { id } = await runner.run('deposits.add', { params: { ...deposit, txid: deposit.txid.replace('c', 'b') } });
    const on = { targets: [id] };
    await runner.andBack('deposits.edit', { ...on, params: { remarks: 'seen' } }, 'deposits');
    for (const command of ['open', 'copyHash', 'explore', 'delete'] as const) await runner.run(`deposits.${command}`, on);
    await runner.run('deposits.toConfirm');
    await admin.open('/selfCustody/dataPanel');
    await runner.run('dataPanel.refresh');
    await admin.open('/overview');
    await runner.run('overview.refresh');
    for (const id of ['overview.export', 'vaults.export', 'positionStats.export'] as const) await runner.run(id);
    for (const [resource, table] of [
      ['visits', 'visits'],
      ['walletConnections', 'wallet_connections'],
      ['teams', 'teams'],
      ['draws', 'draws'],
    ] as const) {
      await runner.run(`${resource}.export`);
      const targets = [await runner.idOf(table, table === 'visits' ? 'address is not null' : 'true')];
      for (const command of [`${resource}.open`, `${resource}.copyAddress`, `${resource}.explore`] as const)
        await runner.run(command, { targets });
    }
    await page.keyboard.press('Escape');
  });

  test('account: session, password, factors and wallet of the signed-in person', async ({ admin, page, db, server }) => {
    const runner = new Runner(admin, db);
    await admin.signIn('analyst', '/account');
    const { email } = demoAccounts.find(({ role }) => role === 'analyst') ?? demoAccounts[0];
    const signInElsewhere = () =>
      page
        .context()
        .browser()
        ?.newContext()
        .then((context) =>
          context.request.post(`${server.url}/api/session`, { data: { email, password: 'demo-keys-open-doors' } }),
        );
    await signInElsewhere();
    const other = await runner.idOf(
      'sessions',
      `revoked_at is null and administrator_id = (select id from administrators where email = '${email}') order by created_at desc`,
    );
    await runner.run('account.endSession', { targets: [other] });
    await signInElsewhere();
    await runner.run('account.endOtherSessions');
    for (const id of ['account.addTotp', 'account.bindWallet'] as const) {
      await runner.run(id);
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(page.getByRole('dialog')).toHaveCount(0);
    }
    await runner.run('session.signOut');
  });

  test('every command ran here or in its named spec, and every reversible one was undone', () => {
    const ids = registry.all.map(({ id }) => id);
    const specs = readdirSync('e2e', { recursive: true, encoding: 'utf8' }).map((path) => `e2e/${path}`);
    for (const [id, spec] of Object.entries(elsewhere))
      expect(
        readFileSync(specs.find((path) => path.endsWith(`/${spec}.spec.ts`)) ?? spec, 'utf8'),
        `${spec}.spec.ts runs ${id}`,
      ).toMatch(new RegExp(`['"\`/~.]${id.replace('crsm.', '(crsm\\.)?')}\\b`));
    const missing = ids.filter((id) => !ran.has(id) && !elsewhere[id]);
    const routes = Object.values(contract).reduce((sum, members) => sum + Object.keys(members).length, 0);
    const roles = Object.keys(seededRoles).length;
    const reversible = registry.all.filter(({ danger }) => danger === 'reversible').map(({ id }) => id);
    const notUndone = reversible.filter((id) => !undone.has(id) && !elsewhere[id] && !/\.(cancel|resume)Import$/.test(id));
    console.log(
      `commands ${ids.length} (here ${ran.size}, of them refused as they must ${Object.keys(refusals).length}; in specs of their own ${Object.keys(elsewhere).length}) · ` +
        `reversible ${reversible.length}, undone here ${undone.size} · routes ${routes} · roles ${roles} · ` +
        `combinations ${roles * (ids.length + routes)} · exceptions ${missing.length + notUndone.length}`,
    );
    expect(missing).toEqual([]);
    expect(notUndone).toEqual([]);
  });
});
