import { readdirSync, readFileSync } from 'node:fs';
import type { Client } from 'pg';
import type { CommandId } from '../../api/names.ts';
import { contract } from '../../api/contract.ts';
import { toChecksumAddress } from '../../api/evm.ts';
import { newId } from '../../server/platform/core/ids.ts';
import { demoAccounts, seededRoles } from '../../server/seed/roles.ts';
import { buildHostileInputs } from '../../server/testing/hostile.ts';
import { registry } from '../../src/commands/app/all.ts';
import { records } from '../../src/commands/app/all-records.ts';
import { expect, test, type Admin } from '../fixtures.ts';

// Every command runs by script at least once, here or in its own spec. Undo must restore the
// record.

/** Covered by their own specs. */
const specByCommand: Partial<Record<CommandId, string>> = {
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
  'administrators.giveEnrollmentCode': 'enrollment-codes',
  'account.useEnrollmentCode': 'enrollment-codes',
  'administrators.viewAs': 'view-as',
  'roles.viewAs': 'view-as',
  'news.preview': 'news-languages',
  'evm.stopWaiting': 'evm-wallet',
  'withdrawals.signRefund': 'withdrawals',
  'cli.approve': 'cli',
};

/** Refused here, because their targets need a chain, a wallet or a factor. */
const absentCodes = 'NOT_FOUND|BAD_REQUEST|UNAVAILABLE';
const refusalByCommand: Partial<Record<CommandId, string>> = {
  'record.next': 'BLOCKED', // e2e/shortcuts/keys.spec.ts goes through records
  'record.previous': 'BLOCKED',
  'batch.stop': 'BLOCKED', // e2e/lists/bulk.spec.ts stops one by Escape and puts its report away
  'batch.close': 'BLOCKED',
  'account.removeTotp': `${absentCodes}|FACTOR_STALE|BLOCKED`,
  'account.newRecoveryCodes': `${absentCodes}|FACTOR_STALE|BLOCKED`,
  'crsm.open': absentCodes,
  'crsm.copyAddress': absentCodes,
  'crsm.explore': absentCodes,
  'dataPanel.open': absentCodes,
  'dataPanel.copyAddress': absentCodes,
  'dataPanel.explore': absentCodes,
  'deposits.retryMint': 'BLOCKED',
  'deposits.cancelMint': 'BLOCKED',
  'deposits.revokeSignature': 'BLOCKED',
  'deposits.closeFailed': 'BLOCKED',
  'deposits.unblock': 'BLOCKED',
  'evm.disconnect': 'BLOCKED',
  'positionStats.open': absentCodes,
  'positionStats.copyAddress': absentCodes,
  'positionStats.explore': absentCodes,
  'vaults.open': absentCodes,
  'vaults.copyAddress': absentCodes,
  'vaults.explore': absentCodes,
  'withdrawals.open': absentCodes,
  'withdrawals.copyReceiver': absentCodes,
  'withdrawals.explore': absentCodes,
};

const ranCommands = new Set<CommandId>();
const undoneCommands = new Set<CommandId>();
type Options = Parameters<Admin['runAny']>[1];

test.use({
  permissions: ['clipboard-read', 'clipboard-write'],
  serverEnv: { SSO_ISSUER: 'http://127.0.0.1:9', SSO_CLIENT_ID: 'panel', SSO_GROUPS_CLAIM: 'groups', SCIM: 'on' }, // no provider answers
});
test.beforeEach(() => test.setTimeout(150_000));

interface Row {
  id: string;
}

class CommandRunner {
  readonly admin: Admin;
  readonly db: Client;
  constructor(admin: Admin, db: Client) {
    this.admin = admin;
    this.db = db;
  }

  async run<R = Row>(id: CommandId, options: Options = {}): Promise<R> {
    const command = registry.get(id);
    const needsConfirmation = command?.confirm || command?.danger === 'irreversible' || command?.danger === 'money';
    const { done } = await this.admin.runAny(id, needsConfirmation ? { ...options, confirm: true } : options);
    ranCommands.add(id);
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

  async #andBack<R = Row>(
    id: CommandId,
    options: Options,
    tables: readonly string[],
    ignoredColumns: readonly string[],
  ): Promise<R> {
    const readRows = async () =>
      (await this.rows(tables)).map((row) =>
        Object.fromEntries(Object.entries(row).filter(([name]) => !ignoredColumns.includes(name))),
      );
    const rowsBefore = await readRows();
    const result = await this.run<R>(id, options);
    expect(await readRows(), `${id} changes something`).not.toEqual(rowsBefore);
    await test.step(`${id} undone`, async () => {
      const undoRun = this.admin.run('history.undo');
      ranCommands.add('history.undo');
      const confirmDialog = this.admin.page.getByRole('alertdialog');
      await Promise.race([undoRun, confirmDialog.waitFor()]);
      if (await confirmDialog.isVisible()) await confirmDialog.getByRole('button').last().click();
      await undoRun;
      await expect(confirmDialog).toHaveCount(0);
    });
    expect(await readRows(), `${id} undone`).toEqual(rowsBefore);
    undoneCommands.add(id);
    return result;
  }

  /** Without the columns that every write changes. */
  async rows(tables: readonly string[]): Promise<Record<string, unknown>[]> {
    const tableRows = await Promise.all(
      tables.map((table) =>
        this.db.query(
          `select to_jsonb(t) - 'version' - 'updated_at' - 'modified_by' - 'processed_at' as row from ${table} t order by 1`,
        ),
      ),
    );
    return tableRows
      .flatMap(({ rows }) => rows.map(({ row }) => row as Record<string, unknown>))
      .filter((row) => !row['deleted_at']);
  }

  async idOf(table: string, where = 'true'): Promise<string> {
    const { rows } = await this.db.query(`select id from ${table} where ${where} limit 1`);
    if (!rows[0]) throw new Error(`no row of ${table} where ${where}`);
    return rows[0].id as string;
  }
}

const shownResources = (Object.keys(records) as (keyof typeof records)[]).flatMap((resource) => {
  const { place, restored } = records[resource];
  const crudVerbs = ['add', 'edit', 'show', 'hide', 'restore', 'open', 'delete'];
  const hasAll = crudVerbs.every((verb) => registry.all.some(({ id }) => id === `${resource}.${verb}`));
  return restored && hasAll ? [{ resource: resource as 'news' | 'notices', place, word: restored.as }] : [];
});

const address = (n: number) => toChecksumAddress(`0x${n.toString(16).padStart(40, 'a')}`);

test.describe('every command runs by script', { tag: '@long' }, () => {
  test.describe.configure({ mode: 'serial' }); // the last test counts what the others ran

  test('navigation, viewing and page commands', async ({ admin, page, db }) => {
    const runner = new CommandRunner(admin, db);
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
      const shownDialogs = page.locator('[role="dialog"]:visible');
      await expect(shownDialogs.first(), id).toBeVisible();
      await page.keyboard.press('Escape');
      await expect(shownDialogs, id).toHaveCount(0);
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
    await runner.andBack('views.delete', { params: { view } }, comparableViews);
    await Promise.all([page.waitForEvent('load'), runner.run('panel.reload')]);
    await admin.ready();
    for (const [id, code] of Object.entries(refusalByCommand) as [CommandId, string][]) {
      const kind = registry.get(id)?.target.kind;
      const targets = id.startsWith('deposits.') ? [await runner.idOf('deposits', `status = 'created'`)] : [newId()];
      const params = ['deposits.cancelMint', 'deposits.revokeSignature', 'deposits.closeFailed', 'deposits.unblock'].includes(id)
        ? { params: { reason: 'Run' } }
        : {};
      const options = { confirm: true as const, ...(kind === 'none' ? {} : { targets }), ...params };
      await expect(admin.runAny(id, options), id).rejects.toMatchObject({
        code: expect.stringMatching(new RegExp(`^(${code})$`)),
      });
      ranCommands.add(id);
    }
  });

  for (const { resource, place, word } of shownResources)
    test(`content: ${resource}`, async ({ admin, page, db }) => {
      const runner = new CommandRunner(admin, db);
      await admin.signIn('all', place);
      const table = resource.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);
      const [params = {}] = buildHostileInputs(resource, { home: '', role: '' }, ['Run']);
      const [field = ''] = Object.entries(params).find(([, value]) => value === 'Run') ?? [];
      const addCommand = `${resource}.add` as const;
      await runner.andBack(addCommand, { params }, table);
      const { id } = await runner.run(addCommand, { params });
      const runOptions = { targets: [id] };
      await runner.andBack(`${resource}.edit`, { ...runOptions, params: { [field]: 'Ran' } }, table);
      await runner.andBack(`${resource}.show`, runOptions, table);
      await runner.run(`${resource}.show`, runOptions);
      await runner.andBack(`${resource}.hide`, runOptions, table);
      await runner.run(`${resource}.edit`, { ...runOptions, params: { [field]: 'Second' } });
      const editEntryId = await runner.idOf(
        'audit',
        `entity = '${word}' and entity_id = '${id}' and action = 'edit' order by seq desc`,
      );
      await runner.andBack(`${resource}.restore`, { targets: [`${word}:${editEntryId}:before`] }, table);
      if (resource === 'notices') {
        await runner.run('notices.preview', runOptions);
        await page.keyboard.press('Escape');
      }
      await runner.run(`${resource}.bin`);
      await admin.open(place);
      await runner.run(`${resource}.open`, runOptions);
      if (resource === 'news') await runner.run('news.copyImage', runOptions);
      await runner.deletedAndBack(`${resource}.delete`, runOptions, table);
      await runner.run(`${resource}.delete`, runOptions);
    });

  test('content: feeds and feedback', async ({ admin, page, db }) => {
    const runner = new CommandRunner(admin, db);
    await admin.signIn('all', '/news');
    const feed = await runner.idOf('feed_items').catch(() => null);
    const pickedItem = feed ?? (await readFeedItem(admin));
    await runner.andBack('news.get', { params: { ids: [pickedItem] } }, 'news');
    const params = { ...buildHostileInputs('news', { home: '', role: '' }, ['Run'])[0] };
    const pair = [
      await runner.run('news.add', { params: { ...params, title: '合并' } }),
      await runner.run('news.add', { params: { ...params, title: 'Join' } }),
    ].map(({ id }) => id);
    const joined = { targets: pair, params: { kept: 'zh-CN', links: 'both', image: 'zh-CN', period: 'zh-CN' } };
    await runner.andBack('news.join', joined, 'news');
    await runner.run('news.join', joined);
    await runner.andBack('news.undoJoin', { targets: pair.slice(0, 1) }, 'news');

    await admin.open('/feedback');
    const runFeedbackCommands = { targets: [await runner.idOf('feedback', 'not processed')] };
    await runner.andBack('feedback.process', runFeedbackCommands, 'feedback');
    await runner.run('feedback.process', runFeedbackCommands);
    await runner.andBack('feedback.reopen', runFeedbackCommands, 'feedback');
    await runner.run('feedback.reply', { ...runFeedbackCommands, params: { content: 'Thank you' } });
    await runner.run('feedback.open', runFeedbackCommands);
    await page.keyboard.press('Escape');
    await runner.run('feedback.pictures', {
      targets: [await runner.idOf('feedback', 'id in (select feedback_id from feedback_pictures)')],
    });
    await page.keyboard.press('Escape');
    await runner.run('feedback.triage');
    await page.keyboard.press('Escape');
    await runner.deletedAndBack('feedback.delete', runFeedbackCommands, 'feedback');
    await runner.run('feedback.delete', runFeedbackCommands);
    await runner.run('feedback.bin');
    await admin.open('/feedback');
    await runner.andBack(
      'feedback.restore',
      {
        targets: [
          `feedback:${await runner.idOf('audit', `entity = 'feedback' and entity_id = '${runFeedbackCommands.targets[0]}' order by seq desc`)}:before`,
        ],
      },
      'feedback',
    );
  });

  async function readFeedItem(admin: Admin): Promise<string> {
    const authorization = await admin.page.evaluate(() => localStorage.getItem('Authorization') ?? '');
    const response = await admin.page.request.post(`${admin.url}/rpc/news/feed`, { headers: { authorization }, data: {} });
    const { json } = (await response.json()) as { json: { items: { id: string; known: boolean }[] } };
    const item = json.items.find(({ known }) => !known);
    if (!item) throw new Error('the feeds hold nothing new');
    return item.id;
  }

  test('rewards: points, airdrops, and the four imports', async ({ admin, page, db }) => {
    const runner = new CommandRunner(admin, db);
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
    const runOptions = { targets: [id] };
    await runner.andBack('airdrops.edit', { ...runOptions, params: { stage: 't' } }, 'airdrops');
    await runner.andBack('airdrops.setLevel', { ...runOptions, params: { nftLevel: 3 } }, 'airdrops');
    await runner.andBack('airdrops.setStage', { ...runOptions, params: { stage: 'u' } }, 'airdrops');
    await runner.run('airdrops.edit', { ...runOptions, params: { stage: 'second' } });
    const audit = await runner.idOf('audit', `entity = 'airdrop' and entity_id = '${id}' and action = 'edit' order by seq desc`);
    await runner.andBack('airdrops.restore', { targets: [`airdrop:${audit}:before`] }, 'airdrops');
    for (const command of ['airdrops.open', 'airdrops.copyAddress', 'airdrops.explore'] as const)
      await runner.run(command, runOptions);
    await runner.andBack('airdrops.delete', runOptions, 'airdrops');
    await runner.run('airdrops.delete', runOptions);
    await runner.run('airdrops.export');

    for (const { kind, place, undoes, head, good, bad } of [
      {
        kind: 'points',
        place: '/points',
        undoes: sumsTable,
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
      const importLines = async (...lines: string[]) => {
        const params = { file: [head, ...lines].join('\n') };
        return runner.run<Row & { good: number; bad: number }>(`${kind}.import`, { params });
      };
      const partialImport = await importLines(good, bad);
      expect(partialImport, kind).toMatchObject({ good: 1, bad: 1 });
      await runner.run(`${kind}.badRows`, { targets: [partialImport.id] });
      await runner.run(`${kind}.cancelImport`, { targets: [partialImport.id] });

      const rowsBefore = await runner.rows([undoes]);
      for (const id of [`${kind}.startImport`, `${kind}.resumeImport`] as const) {
        const importTargets = { targets: [(await importLines(good)).id] };
        const waitForState = (state: string) =>
          expect
            .poll(async () => (await db.query('select state from imports where id = $1', importTargets.targets)).rows[0]?.state, {
              timeout: 30_000,
            })
            .toBe(state);
        // Only an import that stopped can be resumed.
        if (id.endsWith('resumeImport'))
          await db.query(
            `update imports set state = 'failed', started_at = now(), ended_at = now() where id = $1`,
            importTargets.targets,
          );
        await runner.run(id, importTargets);
        await waitForState('done');
        expect(await runner.rows([undoes]), id).not.toEqual(rowsBefore);
        await runner.run(`${kind}.undoImport`, importTargets);
        await waitForState('undone');
        expect(await runner.rows([undoes]), `${id} undone`).toEqual(rowsBefore);
      }
      undoneCommands.add(`${kind}.startImport`);
    }
    await page.keyboard.press('Escape');
  });

  /** A restored view is a new one with the same name and address. */
  const comparableViews = `(select name as id, name, place, query from saved_views)`;

  /** Entries stay, so only balances are compared. */
  const sumsTable = '(select address as id, sum(berries) as berries from points group by address having sum(berries) <> 0)';

  test('access: service accounts and their tokens', async ({ admin, db, page }) => {
    const runner = new CommandRunner(admin, db);
    await admin.signIn('all', '/permissions/service');
    const owner = await runner.idOf('administrators', `email = 'access@demo.local'`);
    const params = { name: 'run', description: 'd', owners: [owner] };
    await runner.andBack('services.add', { params }, 'service_accounts');
    const { id } = await runner.run('services.add', { params: { ...params, name: 'run-again' } });
    const runOptions = { targets: [id] };
    await runner.andBack('services.edit', { ...runOptions, params: { description: 'e' } }, 'service_accounts');
    await runner.andBack('services.disable', runOptions, 'service_accounts');
    await runner.run('services.disable', runOptions);
    await runner.andBack('services.enable', runOptions, 'service_accounts');
    await runner.run('services.enable', runOptions);
    const closeToken = () => page.locator('[role=alertdialog]').getByRole('button').last().press('Enter');
    const tokenFields = {
      name: 'run',
      expiresAt: new Date(Date.now() + 86_400_000).toISOString(),
      scopes: ['/news', 'news.add'],
    };
    await runner.run('services.addToken', { ...runOptions, params: tokenFields });
    await closeToken();
    const token = await runner.idOf('service_tokens');
    await runner.run('services.rotateToken', { ...runOptions, params: { token, grace: 'hour' } });
    await closeToken();
    await runner.run('services.revokeToken', { ...runOptions, params: { token } });
    await runner.run('services.open', runOptions);
    await runner.run('services.delete', runOptions);
  });

  test('access: single sign-on and provisioning', async ({ admin, db, page }) => {
    const runner = new CommandRunner(admin, db);
    await admin.signIn('all', '/permissions/identity');
    const [role, otherRole] = [
      await runner.idOf('roles', `seed = 'editor'`),
      (await runner.run('roles.add', { params: { name: 'Mapped', description: 'd', grants: ['/news'] } })).id,
    ];
    const mapping = { source: 'claim', value: 'run', role };
    await runner.andBack('identity.addMapping', { params: mapping }, 'group_roles');
    const { id: mappingId } = await runner.run('identity.addMapping', { params: mapping });
    const mappingOptions = { targets: [mappingId] };
    await runner.andBack('identity.editMapping', { ...mappingOptions, params: { role: otherRole } }, 'group_roles');
    await runner.run('identity.deleteMapping', mappingOptions);
    const tokenFields = { name: 'run', expiresAt: new Date(Date.now() + 86_400_000).toISOString() };
    await runner.run('identity.addScimToken', { params: tokenFields });
    await page.locator('[role=alertdialog]').getByRole('button').last().press('Enter');
    await runner.run('identity.revokeScimToken', {
      params: { token: await runner.idOf('service_tokens', `kind = 'scim' and revoked_at is null`) },
    });

    await admin.open('/permissions/administrator');
    const person = { email: 'invited@example.com', roles: [role], description: 'd' };
    await runner.andBack('administrators.invite', { params: person }, 'administrators', 'administrator_roles');
    const { id } = await runner.run('administrators.invite', { params: { ...person, email: 'invited2@example.com' } });
    const runOptions = { targets: [id] };
    await runner.run('administrators.sendSsoLink', runOptions);
    await db.query(
      `insert into identity_links (id, administrator_id, issuer, subject, origin, created_at) values ($1, $2, 'http://127.0.0.1:9', 'run', 'self', now())`,
      [newId(), id],
    );
    await runner.run('administrators.unlinkSso', runOptions);
    await runner.andBack('administrators.letIdpManage', runOptions, 'provisioned');
    await runner.run('administrators.letIdpManage', runOptions);
    await db.query(`update provisioned set email = 'married@example.com' where administrator_id = $1`, [id]);
    await runner.run('administrators.acceptIdpEmail', runOptions);
    expect(await runner.idOf('administrators', `email = 'married@example.com'`)).toBe(id);
    await runner.run('administrators.stopIdpManaging', runOptions);
    await runner.run('administrators.delete', runOptions);
  });

  test('access: administrators, roles, permission tree, audit', async ({ admin, db }) => {
    const runner = new CommandRunner(admin, db);
    await admin.signIn('all', '/permissions/administrator');
    const role = await runner.idOf('roles', `seed = 'editor'`);
    const params = { email: 'run@example.com', password: 'harbour lantern seventeen', roles: [role], description: 'd' };
    await runner.andBack('administrators.add', { params }, 'administrators', 'administrator_roles');
    const { id } = await runner.run('administrators.add', { params: { ...params, email: 'run2@example.com' } });
    const runOptions = { targets: [id] };
    await runner.andBack(
      'administrators.edit',
      { ...runOptions, params: { description: 'e' } },
      'administrators',
      'administrator_roles',
    );
    await runner.andBack('administrators.disable', runOptions, 'administrators');
    await runner.run('administrators.disable', runOptions);
    await runner.andBack('administrators.enable', runOptions, 'administrators');
    await runner.run('administrators.enable', runOptions);
    const wallet = { address: 'bc1pmfr3p9j00pfxjh0zmgp99y8zftmd3s5pmedqhyptwy6lm87hf5sspknck9' };
    await runner.andBack('administrators.bindWallet', { ...runOptions, params: wallet }, 'administrators');
    await runner.run('administrators.bindWallet', { ...runOptions, params: wallet });
    await runner.andBack('administrators.unbindWallet', runOptions, 'administrators');
    await db.query(`update administrators set totp_secret = 'x' where id = $1`, [id]);
    for (const command of ['open', 'endSessions', 'resetFactor', 'resetPassword', 'delete'] as const)
      await runner.run(`administrators.${command}`, runOptions);

    await admin.open('/permissions/role');
    const fields = { name: 'Run', description: 'd', grants: ['/news', 'news.add'] };
    await runner.andBack('roles.add', { params: fields }, 'roles', 'role_nodes');
    const { id: createdRoleId } = await runner.run('roles.add', { params: fields });
    const runRoleCommands = { targets: [createdRoleId] };
    await runner.andBack('roles.edit', { ...runRoleCommands, params: { grants: ['/news'] } }, 'roles', 'role_nodes');
    await runner.andBack('roles.copy', { ...runRoleCommands, params: { name: 'Run again' } }, 'roles', 'role_nodes');
    await runner.run('roles.open', runRoleCommands);
    await runner.run('roles.delete', runRoleCommands);

    await admin.open('/permissions/permission');
    const [newsNode, pointsNode] = [
      await runner.idOf('permission_nodes', `identifier = '/news'`),
      await runner.idOf('permission_nodes', `identifier = '/points'`),
    ];
    const node = { place: 'under', identifier: 'run.it', zh: '跑', en: 'Run' };
    await runner.andBack('permissions.add', { targets: [newsNode], params: node }, 'permission_nodes');
    const menu = { identifier: '/run-it', zh: '跑', en: 'Run' };
    await runner.andBack('permissions.addMenu', { params: menu }, 'permission_nodes');
    const { id: mainMenuId } = await runner.run('permissions.addMenu', { params: menu });
    const submenu = { ...menu, identifier: '/run-it/on' };
    await runner.andBack('permissions.addSubmenu', { targets: [mainMenuId], params: submenu }, 'permission_nodes');
    await runner.run('permissions.delete', { targets: [mainMenuId] });
    const { id: ownNodeId } = await runner.run('permissions.add', { targets: [newsNode], params: node });
    await runner.andBack('permissions.edit', { targets: [ownNodeId], params: { en: 'Ran' } }, 'permission_nodes');
    await runner.andBack(
      'permissions.move',
      { targets: [ownNodeId], params: { to: pointsNode, place: 'under' } },
      'permission_nodes',
    );
    await runner.run('permissions.delete', { targets: [ownNodeId] });
    await runner.run('permissions.reset');

    await admin.open('/audit');
    await runner.run('audit.open', { targets: [await runner.idOf('audit')] });
    await runner.run('audit.export');
  });

  test('custody and statistics: commands without a chain', async ({ admin, page, db }) => {
    const runner = new CommandRunner(admin, db);
    await admin.signIn('all', '/selfCustody/deposit');
    const deposit = {
      userAddress: toChecksumAddress(address(8)),
      amount: '1000',
      coboAddress: 'bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4',
      txid: Date.now().toString(16).padStart(64, 'c'),
    };
    await runner.andBack('deposits.add', { params: deposit }, 'deposits');
    const { id } = await runner.run('deposits.add', { params: { ...deposit, txid: deposit.txid.replace('c', 'b') } });
    const runOptions = { targets: [id] };
    await runner.andBack('deposits.edit', { ...runOptions, params: { remarks: 'seen' } }, 'deposits');
    for (const command of ['open', 'copyHash', 'explore', 'delete'] as const) await runner.run(`deposits.${command}`, runOptions);
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
    const runner = new CommandRunner(admin, db);
    await admin.signIn('analyst', '/account');
    const { email } = demoAccounts.find(({ role }) => role === 'analyst') ?? demoAccounts[0];
    const signInOtherSession = () =>
      page
        .context()
        .browser()
        ?.newContext()
        .then((context) =>
          context.request.post(`${server.url}/api/session`, { data: { email, password: 'demo-keys-open-doors' } }),
        );
    await signInOtherSession();
    const otherId = await runner.idOf(
      'sessions',
      `revoked_at is null and administrator_id = (select id from administrators where email = '${email}') order by created_at desc`,
    );
    await runner.run('account.endSession', { targets: [otherId] });
    await signInOtherSession();
    await runner.run('account.endOtherSessions');
    await expect(admin.runAny('account.linkSso')).rejects.toMatchObject({ code: 'SSO_FAILED' });
    ranCommands.add('account.linkSso');
    await db.query(
      `insert into identity_links (id, administrator_id, issuer, subject, origin, created_at)
       select $1, id, 'http://127.0.0.1:9', 'own', 'self', now() from administrators where email = $2`,
      [newId(), email],
    );
    await admin.open('/news'); // the account on screen has no link
    await runner.run('account.unlinkSso');
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
    const specPaths = readdirSync('e2e', { recursive: true, encoding: 'utf8' }).map((path) => `e2e/${path}`);
    for (const [id, specPath] of Object.entries(specByCommand))
      expect(
        readFileSync(specPaths.find((path) => path.endsWith(`/${specPath}.spec.ts`)) ?? specPath, 'utf8'),
        `${specPath}.spec.ts runs ${id}`,
      ).toMatch(new RegExp(`['"\`/~.]${id.replace('crsm.', '(crsm\\.)?')}\\b`));
    const missingCommands = ids.filter((id) => !ranCommands.has(id) && !specByCommand[id]);
    const routes = Object.values(contract).reduce((sum, routeMembers) => sum + Object.keys(routeMembers).length, 0);
    const roles = Object.keys(seededRoles).length;
    const reversibleCommands = registry.all.filter(({ danger }) => danger === 'reversible').map(({ id }) => id);
    const commandsNotUndone = reversibleCommands.filter(
      (id) => !undoneCommands.has(id) && !specByCommand[id] && !/\.(cancel|resume)Import$/.test(id),
    );
    console.log(
      `commands ${ids.length} (here ${ranCommands.size}, of them refused as they must ${Object.keys(refusalByCommand).length}; in specs of their own ${Object.keys(specByCommand).length}) · ` +
        `reversible ${reversibleCommands.length}, undone here ${undoneCommands.size} · routes ${routes} · roles ${roles} · ` +
        `combinations ${roles * (ids.length + routes)} · exceptions ${missingCommands.length + commandsNotUndone.length}`,
    );
    expect(missingCommands).toEqual([]);
    expect(commandsNotUndone).toEqual([]);
  });
});
