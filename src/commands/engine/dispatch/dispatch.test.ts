import * as z from 'zod/mini';
import { beforeEach, describe, expect, test } from 'vitest';
import type { NewsRow } from '../../../../api/news/contract.ts';
import { textSchema } from '../../../../api/base.ts';
import { ApiError, type Api } from '../../../lib/net/client.ts';
import type { Target } from '../../../lib/scope.ts';
import { newsTarget } from '../../news/commands.ts';
import { assess, type CommandContext } from '../assess.ts';
import {
  invocation,
  defineCommand,
  manyTargets,
  blockedBecause,
  noTarget,
  oneTarget,
  type AnyCommand,
  type CommandResult,
} from '../define.ts';
import { createDispatch } from './dispatch.ts';
import type { Dependencies, DispatchedRun } from './interface.ts';
import { paramSpec, recordParams, textField } from '../fields.ts';
import { $history, lastUndoable, markUndone, addToHistory } from './history.ts';
import { createRegistry } from '../registry.ts';
import type { Host, Notice, CommandQuestion, FormError } from '../host.ts';
import { build } from '../../../../testing/factories/build.ts';

const row = (id: string, changes: Partial<NewsRow> = {}) => build.news({ id, version: 3, title: `title ${id}`, ...changes });

const schema = z.strictObject({ title: textSchema(10) });
const titleFields = paramSpec(async () => schema, { title: textField('news.field.title') });

function page(
  answers: {
    collect?: (Record<string, unknown> | null)[];
    confirm?: boolean;
    factor?: boolean;
    hides?: boolean;
    leaves?: boolean;
  } = {},
) {
  const seen = {
    notices: [] as Notice[],
    questions: [] as CommandQuestion[],
    setbacks: [] as (FormError | undefined)[],
    asked: 0,
    factors: 0,
    refreshed: [] as string[],
    released: [] as string[],
    reached: [] as string[],
    left: [] as string[],
    closed: [] as boolean[],
  };
  const nothing = async () => {};
  const host: Host = {
    here: () => '/news',
    origin: () => 'https://panel.example',
    navigate() {},
    openRecord() {},
    openOutside() {},
    showPictures() {},
    copy: nothing,
    list: null,
    openPalette() {},
    openKeys() {},
    async showExact() {},
    ownKeys: () => import('../../app/key-prefs.ts'),
    print() {},
    switchLanguage() {},
    setTheme() {},
    setDensity() {},
    toggleSidebar() {},
    toggleSingleKeys() {},
    signOut: nothing,
    openFactor() {},
    confirmFactor: async () => {
      seen.factors++;
      return answers.factor ?? false;
    },
    undo: nothing,
    repeat: nothing,
    retry: nothing,
    collect(question) {
      seen.questions.push(question);
      return {
        ask: async (formError) => {
          seen.setbacks.push(formError);
          return answers.collect?.shift() ?? null;
        },
        isAbandoned: () => answers.leaves ?? false,
        close: (done) => seen.closed.push(done),
      };
    },
    confirm: async ({ skipped }) => {
      seen.asked++;
      seen.left.push(...skipped.map(({ target, why }) => `${target.id}: ${why.reason}`));
      return answers.confirm ?? false;
    },
    release: (targets) => seen.released.push(...targets.map(({ id }) => id)),
    reach: async (resources, ids) => {
      seen.reached.push(...ids);
      return answers.hides ? (resources[0] ?? null) : null;
    },
    notify: (notice) => seen.notices.push(notice),
    refresh: async (resources) => {
      seen.refreshed.push(...resources);
    },
  };
  return { host, seen };
}

const context = (rest: Partial<CommandContext> = {}): CommandContext => ({
  expert: false,
  signedIn: true,
  codes: new Set(['news.add', 'news.edit', 'news.delete', 'news.show']),
  paths: new Set(['/news']),
  viewContext: null,
  ...rest,
});

function setUp(command: AnyCommand, on = page(), rest: Partial<Dependencies> = {}) {
  const dispatch = createDispatch({
    registry: createRegistry([command]),
    loadAll: async () => {},
    host: on.host,
    loaders: async () => ({ news: async (_, ids) => ids.filter((id) => id !== 'gone').map((id) => newsTarget(row(id))) }),
    context: () => context(),
    freeze: () => [],
    person: () => 'ann@example.org',
    apiFor: () => ({}) as Api,
    ...rest,
  });
  return { dispatch, ...on };
}

beforeEach(() => $history.set([]));

const add = (run: (values: { title: string }) => unknown = (values) => values) =>
  defineCommand({
    id: 'news.add',
    permission: 'news.add',
    icon: 'plus',
    place: '/news',
    target: noTarget,
    params: titleFields,
    danger: 'none',
    run: ({ params: values }) => run(values),
    done: (): CommandResult => ({ stale: ['news'] }),
  }) as AnyCommand;

const remove = (ran: string[][]) =>
  defineCommand({
    id: 'news.delete',
    permission: 'news.delete',
    icon: 'plus',
    place: '/news',
    target: manyTargets('news', { max: 2 }),
    params: null,
    danger: 'irreversible',
    run: ({ targets }) => {
      ran.push(targets.map(({ id }) => id));
    },
  }) as AnyCommand;

describe('the gate', () => {
  test('reads, asks and runs nothing without permission, from any source', async () => {
    const ran: string[][] = [];
    let loaded = 0;
    for (const source of ['palette', 'menu', 'button', 'row', 'key', 'link', 'script', 'undo', 'repeat', 'macro'] as const) {
      const { dispatch, seen } = setUp(remove(ran), page({ confirm: true }), {
        context: () => context({ codes: new Set() }),
        loaders: async () => ({
          news: async () => {
            loaded++;
            return [];
          },
        }),
      });
      const outcome = await dispatch({ id: 'news.delete', targets: ['a'], confirm: true }, source);
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'NOT_PERMITTED' } });
      expect(seen.asked).toBe(0);
    }
    expect(ran).toEqual([]);
    expect(loaded).toBe(0);
  });

  test('asks a person before an irreversible command and runs only after a yes', async () => {
    const ran: string[][] = [];
    const declined = setUp(remove(ran), page({ confirm: false }));
    expect(await declined.dispatch({ id: 'news.delete', targets: ['a'] }, 'button')).toEqual({ status: 'canceled' });
    const agreed = setUp(remove(ran), page({ confirm: true }));
    expect(await agreed.dispatch({ id: 'news.delete', targets: ['a'] }, 'button')).toMatchObject({ status: 'done' });
    expect(ran).toEqual([['a']]);
  });

  test('requires a script’s confirmation and never prompts it', async () => {
    const ran: string[][] = [];
    const { dispatch, seen } = setUp(remove(ran), page({ confirm: true }));
    expect(await dispatch({ id: 'news.delete', targets: ['a'] }, 'script')).toMatchObject({ error: { code: 'UNCONFIRMED' } });
    expect(await dispatch({ id: 'news.delete', targets: ['a'], confirm: true }, 'script')).toMatchObject({ status: 'done' });
    expect(seen.asked).toBe(0);
    expect(seen.notices.filter(({ kind }) => kind === 'error')).toEqual([]);
  });

  test('refuses too many, no, or missing targets before anything runs', async () => {
    const ran: string[][] = [];
    const { dispatch } = setUp(remove(ran), page({ confirm: true }));
    expect(await dispatch({ id: 'news.delete', targets: ['a', 'b', 'c'] }, 'button')).toMatchObject({
      error: { reason: 'palette.blocked.tooMany' },
    });
    expect(await dispatch({ id: 'news.delete' }, 'button')).toMatchObject({ error: { reason: 'palette.blocked.pickFirst' } });
    expect(await dispatch({ id: 'news.delete', targets: ['gone'] }, 'button')).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(ran).toEqual([]);
  });

  test('runs on the targets that were frozen at the start, whatever is selected later', async () => {
    const ran: string[][] = [];
    const frozen: Target[] = [newsTarget(row('first'))];
    const { dispatch } = setUp(remove(ran), page({ confirm: true }), { freeze: () => [newsTarget(row('other'))] });
    await dispatch({ id: 'news.delete' }, 'palette', frozen);
    expect(ran).toEqual([['first']]);
  });

  test('shows the reason of `when` to the person', async () => {
    const command = { ...add(), when: () => blockedBecause('news.blocked.shown') } as AnyCommand;
    const { dispatch, seen } = setUp(command);
    expect(await dispatch({ id: 'news.add', params: { title: 'x' } }, 'button')).toMatchObject({ error: { code: 'BLOCKED' } });
    expect(seen.notices).toEqual([{ kind: 'blocked', key: 'news.blocked.shown' }]);
  });
});

describe('a step of a macro', () => {
  test('runs without a question when all parameters are set, and asks only for its marked ones', async () => {
    const said = setUp(add());
    expect(await said.dispatch({ id: 'news.add', params: { title: 'x' } }, 'macro')).toMatchObject({ status: 'done' });
    expect(said.seen.questions).toEqual([]);
    expect(said.seen.notices).toEqual([]);
    const requested = setUp(add(), page({ collect: [{ title: 'y' }] }));
    const outcome = await requested.dispatch({ id: 'news.add', params: { title: 'x' }, asks: ['title'] }, 'macro');
    expect(outcome).toMatchObject({ status: 'done', result: { title: 'y' } });
    expect(requested.seen.questions).toMatchObject([{ params: { title: 'x' }, only: ['title'] }]);
  });

  test('is confirmed by a person, as outside a macro', async () => {
    const ran: string[][] = [];
    const grave = setUp(remove(ran), page({ confirm: false }));
    expect(await grave.dispatch({ id: 'news.delete', targets: ['a'] }, 'macro')).toEqual({ status: 'canceled' });
    expect(grave.seen.asked).toBe(1);
    const mild = setUp({ ...remove(ran), danger: 'reversible', confirm: true } as AnyCommand, page({ confirm: false }));
    expect(await mild.dispatch({ id: 'news.delete', targets: ['a'] }, 'macro')).toEqual({ status: 'canceled' });
    expect(mild.seen.asked).toBe(1);
    expect(ran).toEqual([]);
  });

  test('reports its failure only to the macro and names its history entry', async () => {
    const { dispatch, seen } = setUp(remove([]), page());
    expect(await dispatch({ id: 'news.delete', targets: ['gone'] }, 'macro')).toMatchObject({ status: 'failed' });
    expect(seen.notices).toEqual([]);
    const added = setUp(add(() => ({ id: 'made' })));
    const outcome = await added.dispatch({ id: 'news.add', params: { title: 'x' } }, 'macro');
    expect($history.get()[0]).toMatchObject({ made: ['made'] });
    expect(outcome).toMatchObject({ entry: $history.get()[0]?.id });
  });
});

test('a link asks before it changes anything, with or without parameters', async () => {
  const ran: string[] = [];
  const passing = (id: 'keys.single' | 'go.news'): AnyCommand =>
    defineCommand({
      id,
      permission: 'anyone',
      icon: 'plus',
      place: 'global',
      target: noTarget,
      params: null,
      danger: 'none',
      excludeFromHistory: true,
      run: () => void ran.push(id),
    });
  const toggles = setUp(passing('keys.single'), page({ confirm: false }));
  expect(await toggles.dispatch({ id: 'keys.single' }, 'link')).toEqual({ status: 'canceled' });
  expect(await setUp(passing('go.news'), page()).dispatch({ id: 'go.news' }, 'link')).toMatchObject({ status: 'done' });
  expect(ran).toEqual(['go.news']);
});

describe('parameters', () => {
  test('are reported by name to a script that omits one', async () => {
    const { dispatch, seen } = setUp(add());
    expect(await dispatch({ id: 'news.add', params: {} }, 'script')).toMatchObject({
      error: { code: 'INVALID', issues: [{ path: 'title', rule: 'required' }], message: 'news.add: title required' },
    });
    expect(seen.questions).toEqual([]);
  });

  test('are asked for until they are valid, keeping the person’s input', async () => {
    const { dispatch, seen } = setUp(add(), page({ collect: [{ title: 'much too long a title' }, { title: 'good' }] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'done', result: { title: 'good' } });
    expect(seen.setbacks).toEqual([undefined, { issues: [{ path: 'title', rule: 'tooLong', limit: 10 }] }]);
    expect(seen.closed).toContain(true);
  });

  test('are asked for again after the server refuses them, and the next try may succeed', async () => {
    let tries = 0;
    const command = add((values) => {
      if (tries++ === 0) throw new ApiError('UNAVAILABLE', 'r1');
      return values;
    });
    const { dispatch, seen } = setUp(command, page({ collect: [{ title: 'x' }, { title: 'x' }] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'done' });
    expect(seen.setbacks[1]).toMatchObject({ error: { code: 'UNAVAILABLE', requestId: 'r1' } });
  });

  test('are shown again after a person declines the review, while a script’s no is final', async () => {
    const command = { ...add(), danger: 'money' } as AnyCommand;
    const { dispatch, seen } = setUp(command, page({ confirm: false, collect: [{ title: 'x' }, { title: 'y' }, null] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
    expect([seen.asked, seen.setbacks]).toEqual([2, [undefined, undefined, undefined]]);
    const said = setUp(command, page({ confirm: false }));
    expect(await said.dispatch({ id: 'news.add', params: { title: 'x' } }, 'button')).toEqual({ status: 'canceled' });
    const scripted = await said.dispatch({ id: 'news.add', params: { title: 'x' } }, 'script');
    expect(scripted).toMatchObject({ error: { code: 'UNCONFIRMED' } });
    expect([said.seen.asked, said.seen.questions]).toEqual([1, []]);
  });

  test('are not asked for again after the form was left, and a refusal is reported elsewhere', async () => {
    const answers = { leaves: false, collect: [{ title: 'x' }, { title: 'x' }] };
    const command = add(() => {
      answers.leaves = true;
      throw new ApiError('UNAVAILABLE', 'r1');
    });
    const { dispatch, seen } = setUp(command, page(answers));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    expect([seen.setbacks, seen.notices]).toMatchObject([[undefined], [{ key: 'errors.code.UNAVAILABLE' }]]);
    const early = setUp({ ...command, danger: 'money' } as AnyCommand, page({ leaves: true, collect: [{ title: 'x' }] }));
    expect(await early.dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
    expect(early.seen.asked).toBe(0);
  });

  test('start with values read before the form opens, which a link’s values override', async () => {
    let inForce = '';
    const command = add();
    Object.assign(command, {
      params: {
        ...paramSpec(
          async () => schema,
          { title: textField('news.field.title') },
          () => ({ title: inForce }),
        ),
        ready: async () => void (inForce = 'as it is'),
      },
    });
    const linked = setUp(command, page({ collect: [null, null] }));
    await linked.dispatch({ id: 'news.add' }, 'link');
    await linked.dispatch({ id: 'news.add', params: { title: 'other' } }, 'link');
    expect(linked.seen.questions.map(({ params }) => params)).toEqual([{ title: 'as it is' }, { title: 'other' }]);
  });

  test('are judged again by what was read before the question', async () => {
    const ran: unknown[] = [];
    let isSigned = false;
    const command = add((values) => ran.push(values));
    Object.assign(command, {
      params: { ...titleFields, ready: async () => void (isSigned = true) },
      when: () => !isSigned || blockedBecause('news.blocked.hidden'),
    });
    const { dispatch, seen } = setUp(command, page({ collect: [{ title: 'x' }] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'failed', error: { code: 'BLOCKED' } });
    expect([seen.questions, ran]).toEqual([[], []]);
  });

  test('run with what the question said when it was answered, whatever changes during the factor check', async () => {
    const reported: boolean[] = [];
    let missing = 2;
    const command = Object.assign(add(), {
      oneStep: true,
      confirmWording: () => ({ onlySigns: missing > 1 }),
      run: ({ onlySigns }: { onlySigns: boolean }) => {
        reported.push(onlySigns);
        missing = 1;
        if (reported.length === 1) throw new ApiError('FACTOR_STALE', 'r1');
      },
    });
    const { dispatch } = setUp(command, page({ factor: true, collect: [{ title: 'x' }, { title: 'y' }] }));
    await dispatch({ id: 'news.add' }, 'button');
    await dispatch({ id: 'news.add' }, 'button');
    expect(reported).toEqual([true, true, false]);
  });

  test('are asked for again with the current state after a refusal', async () => {
    let reads = 0;
    const command = add(() => {
      throw new ApiError('MONEY_REFUSED', 'r1');
    });
    Object.assign(command, { params: { ...titleFields, ready: async () => void reads++ } });
    const { dispatch, seen } = setUp(command, page({ collect: [{ title: 'x' }, null] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
    expect([reads, seen.setbacks.length]).toEqual([2, 2]);
  });

  describe('where a fresh second factor is asked for', () => {
    /** Requires a new factor until `after` calls were made, and records their idempotency keys. */
    const stale = (after: number) => {
      const ran: unknown[] = [];
      const keys: (string | null)[] = [];
      const command = add((values) => {
        ran.push(values);
        if (ran.length <= after) throw new ApiError('FACTOR_STALE', 'r1');
        return values;
      });
      const apiFor = (_: string | null, key: string | null) => {
        keys.push(key);
        return {} as Api;
      };
      return { ran, keys, command, rest: { apiFor } };
    };

    test('asks the person once and sends the same call under the same key', async () => {
      const { ran, keys, command, rest } = stale(1);
      const { dispatch, seen } = setUp(command, page({ factor: true, collect: [{ title: 'x' }] }), rest);
      expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'done', result: { title: 'x' } });
      expect([seen.factors, ran]).toEqual([1, [{ title: 'x' }, { title: 'x' }]]);
      expect(new Set(keys).size).toBe(1);
      expect(seen.setbacks).toEqual([undefined]);
      expect(seen.closed).toContain(true);
    });

    test('keeps the form with a message and changes nothing when the person cancels', async () => {
      const { ran, command, rest } = stale(1);
      const { dispatch, seen } = setUp(command, page({ factor: false, collect: [{ title: 'x' }, null] }), rest);
      expect(await dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
      expect([seen.factors, ran.length]).toEqual([1, 1]);
      expect(seen.setbacks[1]).toMatchObject({ error: { code: 'FACTOR_STALE' } });
    });

    test('stops asking when the server still refuses', async () => {
      const { ran, command, rest } = stale(9);
      const { dispatch, seen } = setUp(command, page({ factor: true }), rest);
      const outcome = await dispatch({ id: 'news.add', params: { title: 'x' } }, 'palette');
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'FACTOR_STALE' } });
      expect([seen.factors, ran.length, seen.notices.length]).toEqual([1, 2, 1]);
    });

    test('never prompts a script', async () => {
      const { ran, command, rest } = stale(1);
      const { dispatch, seen } = setUp(command, page({ factor: true }), rest);
      const outcome = await dispatch({ id: 'news.add', params: { title: 'x' } }, 'script');
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'FACTOR_STALE' } });
      expect([seen.factors, ran.length]).toEqual([0, 1]);
    });
  });

  test('a colleague’s edit in between is shown, and the next try uses its version', async () => {
    const versions: number[] = [];
    const edit = defineCommand({
      id: 'news.edit',
      permission: 'news.edit',
      icon: 'plus',
      place: '/news',
      target: oneTarget('news'),
      params: recordParams(
        'news',
        async () => schema,
        { title: textField('news.field.title') },
        ({ title }) => ({ title }),
      ),
      danger: 'none',
      run: ({ targets: [target] }) => {
        versions.push(target?.version ?? 0);
        if (versions.length === 1)
          throw new ApiError('CONFLICT', null, { current: { ...row('a'), version: 9, title: 'theirs' } });
        return null;
      },
    }) as AnyCommand;
    const { dispatch, seen } = setUp(edit, page({ collect: [{ title: 'mine' }, { title: 'mine' }] }));
    expect(await dispatch({ id: 'news.edit', targets: ['a'] }, 'button')).toMatchObject({ status: 'done' });
    expect(versions).toEqual([3, 9]);
    expect(seen.setbacks[1]).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(seen.setbacks[1]?.current).toEqual({ title: 'theirs' }); // as its form holds it, not as the row is
  });

  test('a link always asks first', async () => {
    const ran: string[][] = [];
    const linked = setUp(add(), page({ collect: [null] }));
    expect(await linked.dispatch({ id: 'news.add', params: { title: 'x' } }, 'link')).toEqual({ status: 'canceled' });
    expect(linked.seen.questions[0]?.params).toEqual({ title: 'x' });
    const plain = { ...remove(ran), danger: 'none' } as AnyCommand;
    const requested = setUp(plain, page({ confirm: false }));
    expect(await requested.dispatch({ id: 'news.delete', targets: ['a'] }, 'link')).toEqual({ status: 'canceled' });
    expect(ran).toEqual([]);
  });
});

describe('running', () => {
  test('a double click runs once, and observers see one run', async () => {
    let runs = 0;
    const reported: DispatchedRun[] = [];
    const command = add(async () => {
      runs++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const { dispatch } = setUp(command, page(), { watch: (run) => reported.push(run) });
    const wish = { id: 'news.add', params: { title: 'x' } } as const;
    const outcomes = await Promise.all([dispatch(wish, 'button'), dispatch(wish, 'button'), dispatch(wish, 'button')]);
    expect(runs).toBe(1);
    expect(reported).toMatchObject([{ invocation: wish, source: 'button', frozen: [] }]);
    expect(await reported[0]?.outcome).toBe(outcomes[2]);
  });

  test('a new form may run while lists are refetched, and a double click may not', async () => {
    const ran: string[] = [];
    const on = page({ collect: [{ title: 'a' }, { title: 'b' }] });
    on.host.refresh = () => new Promise(() => {});
    const { dispatch, seen } = setUp(
      add(({ title }) => ran.push(title)),
      on,
    );
    for (let click = 0; click < 2; click++) void dispatch({ id: 'news.add' }, 'key');
    await expect.poll(() => ran).toEqual(['a']);
    expect(seen.questions).toHaveLength(1);
    void dispatch({ id: 'news.add' }, 'key');
    await expect.poll(() => ran).toEqual(['a', 'b']);
  });

  test('the next person’s command runs while the previous person’s same command is still running', async () => {
    let person = 'ann@example.org';
    const answers: (() => void)[] = [];
    const { dispatch } = setUp(
      add(() => new Promise<void>((answer) => answers.push(answer))),
      page(),
      { person: () => person },
    );
    const wish = { id: 'news.add', params: { title: 'x' } } as const;
    const first = dispatch(wish, 'button');
    person = 'bob@example.org';
    const second = dispatch(wish, 'button');
    await expect.poll(() => answers.length).toBe(2);
    for (const answer of answers) answer();
    expect(await Promise.all([first, second])).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  test('only an undone command may run again while its lists are being refetched', async () => {
    const ran: string[] = [];
    const undoOf = (title: string) => invocation('news.add', { params: { title: `no ${title}` } });
    const command = {
      ...add(async ({ title }) => {
        if (title === 'no c') throw new ApiError('CONFLICT');
        ran.push(title);
      }),
      done: (_: unknown, { params: { title } }: { params: { title: string } }): CommandResult => ({
        undo: undoOf(title),
        stale: ['news'],
      }),
    } as unknown as AnyCommand;
    const on = page();
    on.host.refresh = () => new Promise(() => {});
    const { dispatch } = setUp(command, on);
    const wish = (title: string) => ({ id: 'news.add', params: { title } }) as const;
    for (const title of ['a', 'b', 'c']) void dispatch(wish(title), 'key');
    await expect.poll(() => ran).toEqual(['a', 'b', 'c']);
    void dispatch(undoOf('a'), 'undo');
    expect(await dispatch(undoOf('c'), 'undo')).toMatchObject({ status: 'failed' });
    await expect.poll(() => ran).toContain('no a');
    // The third is a double click, the fourth one whose undo was refused.
    for (const title of ['a', 'a', 'b', 'c']) void dispatch(wish(title), 'key');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ran).toEqual(['a', 'b', 'c', 'no a', 'a']);
  });

  test('history stores the invocation and its undo as data with the resulting version', async () => {
    const command = {
      ...remove([]),
      danger: 'reversible',
      done: (): CommandResult => ({ undo: invocation('news.show', { targets: [{ id: 'a', version: 4 }] }), stale: ['news'] }),
    } as AnyCommand;
    const { dispatch, seen } = setUp(command);
    await dispatch({ id: 'news.delete', targets: ['a'] }, 'row');
    expect($history.get()[0]).toMatchObject({
      invocation: { id: 'news.delete', targets: ['a'] },
      undo: { id: 'news.show', targets: [{ id: 'a', version: 4 }] },
    });
    expect(seen.refreshed).toEqual(['news']);
    expect(seen.notices[0]).toMatchObject({ kind: 'success', key: 'common.happened', undo: $history.get()[0]?.id });
  });

  test('undo takes the latest command, then the one before, and never skips one that can’t be undone', () => {
    const undo = invocation('news.hide');
    addToHistory({ invocation: { id: 'news.edit' }, at: 1, undo });
    addToHistory({ invocation: { id: 'news.show' }, at: 2, undo });
    expect(lastUndoable()?.invocation.id).toBe('news.show');
    const [last] = $history.get();
    if (last) markUndone(last);
    expect(lastUndoable()?.invocation.id).toBe('news.edit');
    addToHistory({ invocation: { id: 'news.delete' }, at: 3 });
    expect(lastUndoable()).toMatchObject({ invocation: { id: 'news.delete' } });
    expect(lastUndoable()?.undo).toBeUndefined();
  });

  test('undoing an edit allows undoing the one before, but not one that someone else followed', () => {
    const edit = (version: number) =>
      addToHistory({
        invocation: { id: 'news.edit' },
        at: version,
        undo: invocation('news.edit', { targets: [{ id: 'a', version }] }),
      });
    edit(2);
    edit(4);
    edit(5);
    const [last] = $history.get();
    if (last) markUndone(last, [{ id: 'a', version: 6 }]);
    const versions = $history.get().map(({ undo }) => undo?.targets?.[0]);
    expect(versions).toEqual([
      { id: 'a', version: 5 },
      { id: 'a', version: 6 },
      { id: 'a', version: 2 },
    ]);
  });

  test('another person who has signed in meanwhile gets no notice and no undo of the run', async () => {
    let person = 'ann@example.org';
    const leave = () => (person = 'bob@example.org');
    const { dispatch, seen } = setUp(add(leave), page({ collect: [{ title: 'a' }] }), { person: () => person });
    expect(await dispatch(invocation('news.add'), 'key')).toMatchObject({ status: 'done' });
    expect([seen.notices, seen.reached, seen.refreshed]).toEqual([[], [], ['news']]);
    expect($history.get()).toMatchObject([{ by: 'ann@example.org' }]);
    person = 'ann@example.org';
    const refused = setUp(
      add(() => {
        leave();
        throw new ApiError('FORBIDDEN');
      }),
      page(),
      { person: () => person },
    );
    expect(await refused.dispatch(invocation('news.add', { params: { title: 'a' } }), 'undo')).toMatchObject({
      status: 'failed',
    });
    expect(refused.seen.notices).toEqual([]);
  });

  test('a repeat shows its values before they reach another record', async () => {
    const { dispatch, seen } = setUp(add(), page({ collect: [null] }));
    expect(await dispatch({ id: 'news.add', params: { title: 'x' } }, 'repeat')).toEqual({ status: 'canceled' });
    expect(seen.questions[0]?.params).toEqual({ title: 'x' });
  });

  test('a missing second factor is reported with a button that sets one up, and never to a script', async () => {
    const { dispatch, seen } = setUp(
      add(() => {
        throw new ApiError('FACTOR_REQUIRED', 'r1');
      }),
    );
    await dispatch({ id: 'news.add', params: { title: 'x' } }, 'script');
    expect(seen.notices).toEqual([]);
    await dispatch({ id: 'news.add', params: { title: 'x' } }, 'palette');
    expect(seen.notices).toMatchObject([
      {
        kind: 'error',
        key: 'errors.code.FACTOR_REQUIRED',
        requestId: 'r1',
        remedy: { label: 'errors.setUpFactor', invocation: { id: 'account.addTotp' } },
      },
    ]);
  });

  test('an unknown command is refused, and an unknown error shows the general message', async () => {
    const { dispatch, seen } = setUp(
      add(() => {
        throw new Error('inside');
      }),
    );
    expect(await dispatch({ id: 'news.hide' }, 'script')).toMatchObject({ error: { code: 'UNKNOWN_COMMAND' } });
    await dispatch({ id: 'news.add', params: { title: 'x' } }, 'button');
    expect(seen.notices.at(-1)).toMatchObject({ kind: 'error', key: 'errors.code.INTERNAL' });
  });
});

describe('a selection in which some records are not allowed', () => {
  const shown = newsTarget(row('b', { shown: true }));
  const some = [newsTarget(row('a')), shown, newsTarget(row('c'))];
  const show = (ran: string[][], when: (targets: readonly Target<'news'>[]) => boolean) =>
    defineCommand({
      id: 'news.show',
      permission: 'news.show',
      icon: 'eye',
      place: '/news',
      target: manyTargets('news', { max: 5 }),
      params: null,
      danger: 'none',
      when: ({ targets }) => when(targets) || blockedBecause('news.blocked.shown'),
      run: ({ targets }) => {
        ran.push(targets.map(({ id }) => id));
      },
    }) as AnyCommand;
  const rules = {
    'a rule that one is enough for': (targets: readonly Target<'news'>[]) => targets.some((target) => !target.row.shown),
    'a rule for each of them': (targets: readonly Target<'news'>[]) => targets.every((target) => !target.row.shown),
  };

  for (const [name, rule] of Object.entries(rules))
    test(`${name}: lists them with reasons, and runs the others after a yes`, async () => {
      const ran: string[][] = [];
      const { dispatch, seen } = setUp(show(ran, rule), page({ confirm: true }));
      await dispatch({ id: 'news.show' }, 'button', some);
      expect(seen.left).toEqual(['b: news.blocked.shown']);
      expect(ran).toEqual([['a', 'c']]);
      expect(seen.released).toEqual(['a', 'c', 'b']);
    });

  test('runs nothing after a no and keeps the selection', async () => {
    const ran: string[][] = [];
    const { dispatch, seen } = setUp(show(ran, rules['a rule for each of them']));
    expect(await dispatch({ id: 'news.show' }, 'key', some)).toEqual({ status: 'canceled' });
    expect([seen.asked, ran, seen.released]).toEqual([1, [], []]);
  });

  test('shows no list when none or all are allowed', async () => {
    const ran: string[][] = [];
    const { dispatch, seen } = setUp(show(ran, rules['a rule for each of them']));
    await dispatch({ id: 'news.show' }, 'key', [newsTarget(row('a')), newsTarget(row('c'))]);
    expect(await dispatch({ id: 'news.show' }, 'key', [shown, shown])).toMatchObject({ error: { code: 'BLOCKED' } });
    expect([seen.asked, ran]).toEqual([0, [['a', 'c']]]);
  });

  test('refuses a combination that is not allowed together', async () => {
    const ran: string[][] = [];
    const { dispatch } = setUp(show(ran, (targets) => targets.length < 2));
    expect(await dispatch({ id: 'news.show' }, 'key', some)).toMatchObject({ error: { code: 'BLOCKED' } });
    expect(ran).toEqual([]);
  });

  test('runs all or none for a script', async () => {
    const ran: string[][] = [];
    const { dispatch } = setUp(show(ran, rules['a rule for each of them']));
    expect(await dispatch({ id: 'news.show', confirm: true }, 'script', some)).toMatchObject({ error: { code: 'BLOCKED' } });
    expect(ran).toEqual([]);
  });
});

describe('the result on screen', () => {
  const added = { ...add(() => ({ id: 'new', version: 1 })), params: null } as AnyCommand;

  test('moves the cursor to a new record once the list is loaded, or links to it if the filter hides it', async () => {
    for (const hides of [false, true]) {
      const { dispatch, seen } = setUp(added, page({ hides }));
      await dispatch({ id: 'news.add' }, 'key');
      expect([seen.refreshed, seen.reached]).toEqual([['news'], ['new']]);
      expect(seen.notices[0]?.unseen).toEqual(hides ? { resource: 'news', id: 'new' } : undefined);
    }
  });

  test('moves the cursor to an undone record and keeps the selection', async () => {
    const command = {
      ...remove([]),
      danger: 'none',
      done: (): CommandResult => ({ stale: ['news'], undo: invocation('news.show', { targets: [{ id: 'a', version: 4 }] }) }),
    } as AnyCommand;
    const { dispatch, seen } = setUp(command);
    await dispatch({ id: 'news.delete', targets: ['a'] }, 'undo');
    expect([seen.reached, seen.released]).toEqual([['a'], []]);
    await dispatch({ id: 'news.delete', targets: ['a'] }, 'row');
    expect([seen.reached, seen.released]).toEqual([['a'], ['a']]);
  });
});

test('a command is hidden without permission and blocked with a reason in the wrong place, and a path is a permission', () => {
  const command = remove([]);
  expect(assess(command, context({ codes: new Set() }), [])).toEqual({ state: 'hidden' });
  expect(assess(command, context({ signedIn: false }), [])).toEqual({ state: 'hidden' });
  expect(assess(command, context(), [])).toEqual({ state: 'blocked', reason: 'palette.blocked.pickFirst' });
  expect(assess(command, context(), [newsTarget(row('a'))])).toEqual({ state: 'ok' });
  const byPath = { ...add(), permission: '/news' } as AnyCommand;
  expect(assess(byPath, context({ paths: new Set() }), [])).toEqual({ state: 'hidden' });
  expect(assess(byPath, context(), [])).toEqual({ state: 'ok' });
});

test('a registry refuses a duplicate id', () => {
  expect(() => createRegistry([add()], [add()])).toThrow('news.add');
});
