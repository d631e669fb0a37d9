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
    inForm?: boolean;
    confirm?: boolean;
    factor?: boolean;
    hides?: boolean;
    leaves?: boolean;
  } = {},
) {
  const recorder = {
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
  const noop = async () => {};
  const host: Host = {
    here: () => '/news',
    origin: () => 'https://panel.example',
    navigate() {},
    openRecord() {},
    openOutside() {},
    showPictures() {},
    copy: noop,
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
    signOut: noop,
    openFactor() {},
    confirmFactor: async () => {
      recorder.factors++;
      return answers.factor ?? false;
    },
    undo: noop,
    repeat: noop,
    retry: noop,
    collect(question) {
      recorder.questions.push(question);
      return {
        isForm: answers.inForm ?? true,
        ask: async (formError) => {
          recorder.setbacks.push(formError);
          return answers.collect?.shift() ?? null;
        },
        isAbandoned: () => answers.leaves ?? false,
        close: (done) => recorder.closed.push(done),
      };
    },
    confirm: async ({ skipped }) => {
      recorder.asked++;
      recorder.left.push(...skipped.map(({ target, why }) => `${target.id}: ${why.reason}`));
      return answers.confirm ?? false;
    },
    release: (targets) => recorder.released.push(...targets.map(({ id }) => id)),
    reach: async (resources, ids) => {
      recorder.reached.push(...ids);
      return answers.hides ? (resources[0] ?? null) : null;
    },
    notify: (notice) => recorder.notices.push(notice),
    refresh: async (resources) => {
      recorder.refreshed.push(...resources);
    },
  };
  return { host, seen: recorder };
}

const context = (overrides: Partial<CommandContext> = {}): CommandContext => ({
  expert: false,
  signedIn: true,
  codes: new Set(['news.add', 'news.edit', 'news.delete', 'news.show']),
  paths: new Set(['/news']),
  viewContext: null,
  ...overrides,
});

function setUp(command: AnyCommand, host = page(), overrides: Partial<Dependencies> = {}) {
  const dispatch = createDispatch({
    registry: createRegistry([command]),
    loadAll: async () => {},
    host: host.host,
    loaders: async () => ({ news: async (_, ids) => ids.filter((id) => id !== 'gone').map((id) => newsTarget(row(id))) }),
    context: () => context(),
    freeze: () => [],
    person: () => 'ann@example.org',
    apiFor: () => ({}) as Api,
    ...overrides,
  });
  return { dispatch, ...host };
}

beforeEach(() => $history.set([]));

const addCommand = (run: (values: { title: string }) => unknown = (values) => values) =>
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

const deleteCommand = (ranTargets: string[][]) =>
  defineCommand({
    id: 'news.delete',
    permission: 'news.delete',
    icon: 'plus',
    place: '/news',
    target: manyTargets('news', { max: 2 }),
    params: null,
    danger: 'irreversible',
    run: ({ targets }) => {
      ranTargets.push(targets.map(({ id }) => id));
    },
  }) as AnyCommand;

describe('a refusal because the record changed', () => {
  const showCommand = (overrides: Partial<AnyCommand>) =>
    ({
      ...defineCommand({
        id: 'news.show',
        permission: 'news.show',
        icon: 'eye',
        place: '/news',
        target: oneTarget('news'),
        params: null,
        danger: 'none',
        run: () => {
          throw new ApiError('CONFLICT', 'r1', { current: { ...row('a'), version: 9, title: 'theirs' } });
        },
      }),
      ...overrides,
    }) as AnyCommand;

  test('names what others changed and reads the list again', async () => {
    const comparedTitles: unknown[] = [];
    const { dispatch, seen } = setUp(showCommand({}), page(), {
      changedText: async (entity, before, after) => {
        comparedTitles.push(entity, (before as { title: string }).title, (after as { title: string }).title);
        return 'Title: a → theirs';
      },
    });
    const outcome = await dispatch({ id: 'news.show', targets: ['a'] }, 'button');
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'CONFLICT', reason: 'errors.changed', requestId: 'r1' } });
    expect(comparedTitles).toEqual(['news', row('a').title, 'theirs']);
    expect(seen.notices).toMatchObject([{ key: 'errors.changed', values: { changes: 'Title: a → theirs' } }]);
    expect(seen.refreshed).toEqual(['news']);
  });

  test('says so without details when nothing that people see changed', async () => {
    const { dispatch, seen } = setUp(showCommand({}), page(), { changedText: async () => null });
    await dispatch({ id: 'news.show', targets: ['a'] }, 'button');
    expect(seen.notices).toMatchObject([{ key: 'errors.code.CONFLICT' }]);
    expect(seen.refreshed).toEqual(['news']);
  });

  test('reads the list again when a record that was read again can no longer run it', async () => {
    const blocked = showCommand({ refreshesTargets: true, when: () => blockedBecause('news.blocked.shown') });
    const { dispatch, seen } = setUp(blocked);
    const outcome = await dispatch({ id: 'news.show' }, 'key', [newsTarget(row('a'))]);
    expect(outcome).toMatchObject({ status: 'failed', error: { code: 'BLOCKED' } });
    expect(seen.refreshed).toEqual(['news']);
  });
});

describe('the gate', () => {
  test('reads, asks and runs nothing without permission, from any source', async () => {
    const ranTargets: string[][] = [];
    let loadCount = 0;
    for (const source of ['palette', 'menu', 'button', 'row', 'key', 'link', 'script', 'undo', 'repeat', 'macro'] as const) {
      const { dispatch, seen } = setUp(deleteCommand(ranTargets), page({ confirm: true }), {
        context: () => context({ codes: new Set() }),
        loaders: async () => ({
          news: async () => {
            loadCount++;
            return [];
          },
        }),
      });
      const outcome = await dispatch({ id: 'news.delete', targets: ['a'], confirm: true }, source);
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'NOT_PERMITTED' } });
      expect(seen.asked).toBe(0);
    }
    expect(ranTargets).toEqual([]);
    expect(loadCount).toBe(0);
  });

  test('asks a person before an irreversible command and runs only after a yes', async () => {
    const ranTargets: string[][] = [];
    const declinedRun = setUp(deleteCommand(ranTargets), page({ confirm: false }));
    expect(await declinedRun.dispatch({ id: 'news.delete', targets: ['a'] }, 'button')).toEqual({ status: 'canceled' });
    const confirmedRun = setUp(deleteCommand(ranTargets), page({ confirm: true }));
    expect(await confirmedRun.dispatch({ id: 'news.delete', targets: ['a'] }, 'button')).toMatchObject({ status: 'done' });
    expect(ranTargets).toEqual([['a']]);
  });

  test('skips the question for a reversible command that is confirmed already, never for a dangerous one', async () => {
    const ranTargets: string[][] = [];
    for (const [danger, asked] of [
      ['reversible', 0],
      ['irreversible', 1],
      ['money', 1],
    ] as const) {
      const preconfirmed = { ...deleteCommand(ranTargets), danger, confirm: true, isPreconfirmed: () => true } as AnyCommand;
      const { dispatch, seen } = setUp(preconfirmed, page({ confirm: false }));
      expect(await dispatch({ id: 'news.delete', targets: ['a'] }, 'key')).toMatchObject({ status: asked ? 'canceled' : 'done' });
      expect(seen.asked).toBe(asked);
    }
    expect(ranTargets).toEqual([['a']]);
  });

  test('requires a script’s confirmation and never prompts it', async () => {
    const ranTargets: string[][] = [];
    const { dispatch, seen } = setUp(deleteCommand(ranTargets), page({ confirm: true }));
    expect(await dispatch({ id: 'news.delete', targets: ['a'] }, 'script')).toMatchObject({ error: { code: 'UNCONFIRMED' } });
    expect(await dispatch({ id: 'news.delete', targets: ['a'], confirm: true }, 'script')).toMatchObject({ status: 'done' });
    expect(seen.asked).toBe(0);
    expect(seen.notices.filter(({ kind }) => kind === 'error')).toEqual([]);
  });

  test('refuses too many, no, or missing targets before anything runs', async () => {
    const ranTargets: string[][] = [];
    const { dispatch } = setUp(deleteCommand(ranTargets), page({ confirm: true }));
    expect(await dispatch({ id: 'news.delete', targets: ['a', 'b', 'c'] }, 'button')).toMatchObject({
      error: { reason: 'palette.blocked.tooMany' },
    });
    expect(await dispatch({ id: 'news.delete' }, 'button')).toMatchObject({ error: { reason: 'palette.blocked.pickFirst' } });
    expect(await dispatch({ id: 'news.delete', targets: ['gone'] }, 'button')).toMatchObject({ error: { code: 'NOT_FOUND' } });
    expect(ranTargets).toEqual([]);
  });

  test('runs on the targets that were frozen at the start, whatever is selected later', async () => {
    const ranTargets: string[][] = [];
    const frozenTargets: Target[] = [newsTarget(row('first'))];
    const { dispatch } = setUp(deleteCommand(ranTargets), page({ confirm: true }), { freeze: () => [newsTarget(row('other'))] });
    await dispatch({ id: 'news.delete' }, 'palette', frozenTargets);
    expect(ranTargets).toEqual([['first']]);
  });

  test('shows the reason of `when` to the person, with the command that is blocked', async () => {
    const command = { ...addCommand(), when: () => blockedBecause('news.blocked.shown') } as AnyCommand;
    const { dispatch, seen } = setUp(command);
    expect(await dispatch({ id: 'news.add', params: { title: 'x' } }, 'button')).toMatchObject({ error: { code: 'BLOCKED' } });
    expect(seen.notices).toEqual([{ kind: 'blocked', key: 'news.blocked.shown', of: 'news.add' }]);
  });
});

describe('a step of a macro', () => {
  test('runs without a question when all parameters are set, and asks only for its marked ones', async () => {
    const preset = setUp(addCommand());
    expect(await preset.dispatch({ id: 'news.add', params: { title: 'x' } }, 'macro')).toMatchObject({ status: 'done' });
    expect(preset.seen.questions).toEqual([]);
    expect(preset.seen.notices).toEqual([]);
    const prefilled = setUp(addCommand(), page({ collect: [{ title: 'y' }] }));
    const outcome = await prefilled.dispatch({ id: 'news.add', params: { title: 'x' }, asks: ['title'] }, 'macro');
    expect(outcome).toMatchObject({ status: 'done', result: { title: 'y' } });
    expect(prefilled.seen.questions).toMatchObject([{ params: { title: 'x' }, only: ['title'] }]);
  });

  test('is confirmed by a person, as outside a macro', async () => {
    const ranTargets: string[][] = [];
    const dangerousRun = setUp(deleteCommand(ranTargets), page({ confirm: false }));
    expect(await dangerousRun.dispatch({ id: 'news.delete', targets: ['a'] }, 'macro')).toEqual({ status: 'canceled' });
    expect(dangerousRun.seen.asked).toBe(1);
    const reversibleRun = setUp(
      { ...deleteCommand(ranTargets), danger: 'reversible', confirm: true } as AnyCommand,
      page({ confirm: false }),
    );
    expect(await reversibleRun.dispatch({ id: 'news.delete', targets: ['a'] }, 'macro')).toEqual({ status: 'canceled' });
    expect(reversibleRun.seen.asked).toBe(1);
    expect(ranTargets).toEqual([]);
  });

  test('reports its failure only to the macro and names its history entry', async () => {
    const { dispatch, seen } = setUp(deleteCommand([]), page());
    expect(await dispatch({ id: 'news.delete', targets: ['gone'] }, 'macro')).toMatchObject({ status: 'failed' });
    expect(seen.notices).toEqual([]);
    const additionRun = setUp(addCommand(() => ({ id: 'made' })));
    const outcome = await additionRun.dispatch({ id: 'news.add', params: { title: 'x' } }, 'macro');
    expect($history.get()[0]).toMatchObject({ made: ['made'] });
    expect(outcome).toMatchObject({ entry: $history.get()[0]?.id });
  });
});

test('a link asks before it changes anything, with or without parameters', async () => {
  const ranTargets: string[] = [];
  const navigationCommand = (id: 'keys.single' | 'go.news'): AnyCommand =>
    defineCommand({
      id,
      permission: 'anyone',
      icon: 'plus',
      place: 'global',
      target: noTarget,
      params: null,
      danger: 'none',
      excludeFromHistory: true,
      run: () => void ranTargets.push(id),
    });
  const toggleRun = setUp(navigationCommand('keys.single'), page({ confirm: false }));
  expect(await toggleRun.dispatch({ id: 'keys.single' }, 'link')).toEqual({ status: 'canceled' });
  expect(await setUp(navigationCommand('go.news'), page()).dispatch({ id: 'go.news' }, 'link')).toMatchObject({ status: 'done' });
  expect(ranTargets).toEqual(['go.news']);
});

describe('parameters', () => {
  test('are reported by name to a script that omits one', async () => {
    const { dispatch, seen } = setUp(addCommand());
    expect(await dispatch({ id: 'news.add', params: {} }, 'script')).toMatchObject({
      error: { code: 'INVALID', issues: [{ path: 'title', rule: 'required' }], message: 'news.add: title required' },
    });
    expect(seen.questions).toEqual([]);
  });

  test('are asked for until they are valid, keeping the person’s input', async () => {
    const { dispatch, seen } = setUp(addCommand(), page({ collect: [{ title: 'much too long a title' }, { title: 'good' }] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'done', result: { title: 'good' } });
    expect(seen.setbacks).toEqual([undefined, { issues: [{ path: 'title', rule: 'tooLong', limit: 10 }] }]);
    expect(seen.closed).toContain(true);
  });

  test('are asked for again after the server refuses them, and the next try may succeed', async () => {
    let attemptCount = 0;
    const command = addCommand((values) => {
      if (attemptCount++ === 0) throw new ApiError('UNAVAILABLE', 'r1');
      return values;
    });
    const { dispatch, seen } = setUp(command, page({ collect: [{ title: 'x' }, { title: 'x' }] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'done' });
    expect(seen.setbacks[1]).toMatchObject({ error: { code: 'UNAVAILABLE', requestId: 'r1' } });
  });

  test('are shown again after a person declines the review, while a script’s no is final', async () => {
    const command = { ...addCommand(), danger: 'money' } as AnyCommand;
    const { dispatch, seen } = setUp(command, page({ confirm: false, collect: [{ title: 'x' }, { title: 'y' }, null] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
    expect([seen.asked, seen.setbacks]).toEqual([2, [undefined, undefined, undefined]]);
    const preset = setUp(command, page({ confirm: false }));
    expect(await preset.dispatch({ id: 'news.add', params: { title: 'x' } }, 'button')).toEqual({ status: 'canceled' });
    const scriptOutcome = await preset.dispatch({ id: 'news.add', params: { title: 'x' } }, 'script');
    expect(scriptOutcome).toMatchObject({ error: { code: 'UNCONFIRMED' } });
    expect([preset.seen.asked, preset.seen.questions]).toEqual([1, []]);
  });

  test('are not asked for again after the form was left, and a refusal is reported elsewhere', async () => {
    const responses = { leaves: false, collect: [{ title: 'x' }, { title: 'x' }] };
    const command = addCommand(() => {
      responses.leaves = true;
      throw new ApiError('UNAVAILABLE', 'r1');
    });
    const { dispatch, seen } = setUp(command, page(responses));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ error: { code: 'UNAVAILABLE' } });
    expect([seen.setbacks, seen.notices]).toMatchObject([[undefined], [{ key: 'errors.code.UNAVAILABLE' }]]);
    const cancelledRun = setUp({ ...command, danger: 'money' } as AnyCommand, page({ leaves: true, collect: [{ title: 'x' }] }));
    expect(await cancelledRun.dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
    expect(cancelledRun.seen.asked).toBe(0);
  });

  test('start with values read before the form opens, which a link’s values override', async () => {
    let inForce = '';
    const command = addCommand();
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
    const linkRun = setUp(command, page({ collect: [null, null] }));
    await linkRun.dispatch({ id: 'news.add' }, 'link');
    await linkRun.dispatch({ id: 'news.add', params: { title: 'other' } }, 'link');
    expect(linkRun.seen.questions.map(({ params }) => params)).toEqual([{ title: 'as it is' }, { title: 'other' }]);
  });

  test('are judged again by what was read before the question', async () => {
    const ranTargets: unknown[] = [];
    let isSigned = false;
    const command = addCommand((values) => ranTargets.push(values));
    Object.assign(command, {
      params: { ...titleFields, ready: async () => void (isSigned = true) },
      when: () => !isSigned || blockedBecause('news.blocked.hidden'),
    });
    const { dispatch, seen } = setUp(command, page({ collect: [{ title: 'x' }] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'failed', error: { code: 'BLOCKED' } });
    expect([seen.questions, ranTargets]).toEqual([[], []]);
  });

  test('run with what the question said when it was answered, whatever changes during the factor check', async () => {
    const reports: boolean[] = [];
    let missing = 2;
    const command = Object.assign(addCommand(), {
      oneStep: true,
      confirmWording: () => ({ onlySigns: missing > 1 }),
      run: ({ onlySigns }: { onlySigns: boolean }) => {
        reports.push(onlySigns);
        missing = 1;
        if (reports.length === 1) throw new ApiError('FACTOR_STALE', 'r1');
      },
    });
    const { dispatch } = setUp(command, page({ factor: true, collect: [{ title: 'x' }, { title: 'y' }] }));
    await dispatch({ id: 'news.add' }, 'button');
    await dispatch({ id: 'news.add' }, 'button');
    expect(reports).toEqual([true, true, false]);
  });

  test('of a form that reviews itself are confirmed by sending it, and by a review after the steps of the palette', async () => {
    const ranTargets: unknown[] = [];
    const command = Object.assign(
      addCommand((values) => ranTargets.push(values)),
      { oneStep: 'form', danger: 'money' },
    );
    const inForm = setUp(command, page({ collect: [{ title: 'x' }] }));
    await inForm.dispatch({ id: 'news.add' }, 'button');
    expect([inForm.seen.asked, ranTargets.length]).toEqual([0, 1]);
    const stepByStep = setUp(command, page({ collect: [{ title: 'x' }, null], inForm: false, confirm: false }));
    await stepByStep.dispatch({ id: 'news.add' }, 'palette');
    expect([stepByStep.seen.asked, ranTargets.length]).toEqual([1, 1]);
    const complete = setUp(command, page({ confirm: false }));
    await complete.dispatch({ id: 'news.add', params: { title: 'x' } }, 'button');
    expect([complete.seen.asked, ranTargets.length]).toEqual([1, 1]);
  });

  test('are asked for again with the current state after a refusal', async () => {
    let readCount = 0;
    const command = addCommand(() => {
      throw new ApiError('MONEY_REFUSED', 'r1');
    });
    Object.assign(command, { params: { ...titleFields, ready: async () => void readCount++ } });
    const { dispatch, seen } = setUp(command, page({ collect: [{ title: 'x' }, null] }));
    expect(await dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
    expect([readCount, seen.setbacks.length]).toEqual([2, 2]);
  });

  describe('where a fresh second factor is asked for', () => {
    /** Requires a new factor until `failureCount` calls were made, and records their idempotency keys. */
    const rejectUntil = (failureCount: number) => {
      const ranTargets: unknown[] = [];
      const keys: (string | null)[] = [];
      const command = addCommand((values) => {
        ranTargets.push(values);
        if (ranTargets.length <= failureCount) throw new ApiError('FACTOR_STALE', 'r1');
        return values;
      });
      const apiFor = (_: string | null, key: string | null) => {
        keys.push(key);
        return {} as Api;
      };
      return { ran: ranTargets, keys, command, rest: { apiFor } };
    };

    test('asks the person once and sends the same call under the same key', async () => {
      const { ran, keys, command, rest } = rejectUntil(1);
      const { dispatch, seen } = setUp(command, page({ factor: true, collect: [{ title: 'x' }] }), rest);
      expect(await dispatch({ id: 'news.add' }, 'button')).toMatchObject({ status: 'done', result: { title: 'x' } });
      expect([seen.factors, ran]).toEqual([1, [{ title: 'x' }, { title: 'x' }]]);
      expect(new Set(keys).size).toBe(1);
      expect(seen.setbacks).toEqual([undefined]);
      expect(seen.closed).toContain(true);
    });

    test('keeps the form with a message and changes nothing when the person cancels', async () => {
      const { ran, command, rest } = rejectUntil(1);
      const { dispatch, seen } = setUp(command, page({ factor: false, collect: [{ title: 'x' }, null] }), rest);
      expect(await dispatch({ id: 'news.add' }, 'button')).toEqual({ status: 'canceled' });
      expect([seen.factors, ran.length]).toEqual([1, 1]);
      expect(seen.setbacks[1]).toMatchObject({ error: { code: 'FACTOR_STALE' } });
    });

    test('stops asking when the server still refuses', async () => {
      const { ran, command, rest } = rejectUntil(9);
      const { dispatch, seen } = setUp(command, page({ factor: true }), rest);
      const outcome = await dispatch({ id: 'news.add', params: { title: 'x' } }, 'palette');
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'FACTOR_STALE' } });
      expect([seen.factors, ran.length, seen.notices.length]).toEqual([1, 2, 1]);
    });

    test('never prompts a script', async () => {
      const { ran, command, rest } = rejectUntil(1);
      const { dispatch, seen } = setUp(command, page({ factor: true }), rest);
      const outcome = await dispatch({ id: 'news.add', params: { title: 'x' } }, 'script');
      expect(outcome).toMatchObject({ status: 'failed', error: { code: 'FACTOR_STALE' } });
      expect([seen.factors, ran.length]).toEqual([0, 1]);
    });
  });

  test('a colleague’s edit in between is shown, and the next try uses its version', async () => {
    const versions: number[] = [];
    const editCommand = defineCommand({
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
    const { dispatch, seen } = setUp(editCommand, page({ collect: [{ title: 'mine' }, { title: 'mine' }] }));
    expect(await dispatch({ id: 'news.edit', targets: ['a'] }, 'button')).toMatchObject({ status: 'done' });
    expect(versions).toEqual([3, 9]);
    expect(seen.setbacks[1]).toMatchObject({ error: { code: 'CONFLICT' } });
    expect(seen.setbacks[1]?.current).toEqual({ title: 'theirs' }); // as its form holds it, not as the row is
  });

  test('a link always asks first', async () => {
    const ranTargets: string[][] = [];
    const linkRun = setUp(addCommand(), page({ collect: [null] }));
    expect(await linkRun.dispatch({ id: 'news.add', params: { title: 'x' } }, 'link')).toEqual({ status: 'canceled' });
    expect(linkRun.seen.questions[0]?.params).toEqual({ title: 'x' });
    const harmlessCommand = { ...deleteCommand(ranTargets), danger: 'none' } as AnyCommand;
    const prefilled = setUp(harmlessCommand, page({ confirm: false }));
    expect(await prefilled.dispatch({ id: 'news.delete', targets: ['a'] }, 'link')).toEqual({ status: 'canceled' });
    expect(ranTargets).toEqual([]);
  });
});

describe('running', () => {
  test('a double click runs once, and observers see one run', async () => {
    let runCount = 0;
    const reports: DispatchedRun[] = [];
    const command = addCommand(async () => {
      runCount++;
      await new Promise((resolve) => setTimeout(resolve, 5));
    });
    const { dispatch } = setUp(command, page(), { watch: (run) => reports.push(run) });
    const request = { id: 'news.add', params: { title: 'x' } } as const;
    const outcomes = await Promise.all([dispatch(request, 'button'), dispatch(request, 'button'), dispatch(request, 'button')]);
    expect(runCount).toBe(1);
    expect(reports).toMatchObject([{ invocation: request, source: 'button', frozen: [] }]);
    expect(await reports[0]?.outcome).toBe(outcomes[2]);
  });

  test('a new form may run while lists are refetched, and a double click may not', async () => {
    const ranTargets: string[] = [];
    const host = page({ collect: [{ title: 'a' }, { title: 'b' }] });
    host.host.refresh = () => new Promise(() => {});
    const { dispatch, seen } = setUp(
      addCommand(({ title }) => ranTargets.push(title)),
      host,
    );
    for (let click = 0; click < 2; click++) void dispatch({ id: 'news.add' }, 'key');
    await expect.poll(() => ranTargets).toEqual(['a']);
    expect(seen.questions).toHaveLength(1);
    void dispatch({ id: 'news.add' }, 'key');
    await expect.poll(() => ranTargets).toEqual(['a', 'b']);
  });

  test('the next person’s command runs while the previous person’s same command is still running', async () => {
    let email = 'ann@example.org';
    const responses: (() => void)[] = [];
    const { dispatch } = setUp(
      addCommand(() => new Promise<void>((respond) => responses.push(respond))),
      page(),
      { person: () => email },
    );
    const request = { id: 'news.add', params: { title: 'x' } } as const;
    const firstRun = dispatch(request, 'button');
    email = 'bob@example.org';
    const secondRun = dispatch(request, 'button');
    await expect.poll(() => responses.length).toBe(2);
    for (const respond of responses) respond();
    expect(await Promise.all([firstRun, secondRun])).toMatchObject([{ status: 'done' }, { status: 'done' }]);
  });

  test('only an undone command may run again while its lists are being refetched', async () => {
    const ranTargets: string[] = [];
    const undoOf = (title: string) => invocation('news.add', { params: { title: `no ${title}` } });
    const command = {
      ...addCommand(async ({ title }) => {
        if (title === 'no c') throw new ApiError('CONFLICT');
        ranTargets.push(title);
      }),
      done: (_: unknown, { params: { title } }: { params: { title: string } }): CommandResult => ({
        undo: undoOf(title),
        stale: ['news'],
      }),
    } as unknown as AnyCommand;
    const host = page();
    host.host.refresh = () => new Promise(() => {});
    const { dispatch } = setUp(command, host);
    const request = (title: string) => ({ id: 'news.add', params: { title } }) as const;
    for (const title of ['a', 'b', 'c']) void dispatch(request(title), 'key');
    await expect.poll(() => ranTargets).toEqual(['a', 'b', 'c']);
    void dispatch(undoOf('a'), 'undo');
    expect(await dispatch(undoOf('c'), 'undo')).toMatchObject({ status: 'failed' });
    await expect.poll(() => ranTargets).toContain('no a');
    // The third is a double click, the fourth one whose undo was refused.
    for (const title of ['a', 'a', 'b', 'c']) void dispatch(request(title), 'key');
    await new Promise((resolve) => setTimeout(resolve, 20));
    expect(ranTargets).toEqual(['a', 'b', 'c', 'no a', 'a']);
  });

  test('history stores the invocation and its undo as data with the resulting version', async () => {
    const command = {
      ...deleteCommand([]),
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
    const [lastEntry] = $history.get();
    if (lastEntry) markUndone(lastEntry);
    expect(lastUndoable()?.invocation.id).toBe('news.edit');
    addToHistory({ invocation: { id: 'news.delete' }, at: 3 });
    expect(lastUndoable()).toMatchObject({ invocation: { id: 'news.delete' } });
    expect(lastUndoable()?.undo).toBeUndefined();
  });

  test('undoing an edit allows undoing the one before, but not one that someone else followed', () => {
    const editCommand = (version: number) =>
      addToHistory({
        invocation: { id: 'news.edit' },
        at: version,
        undo: invocation('news.edit', { targets: [{ id: 'a', version }] }),
      });
    editCommand(2);
    editCommand(4);
    editCommand(5);
    const [lastEntry] = $history.get();
    if (lastEntry) markUndone(lastEntry, [{ id: 'a', version: 6 }]);
    const versions = $history.get().map(({ undo }) => undo?.targets?.[0]);
    expect(versions).toEqual([
      { id: 'a', version: 5 },
      { id: 'a', version: 6 },
      { id: 'a', version: 2 },
    ]);
  });

  test('another person who has signed in meanwhile gets no notice and no undo of the run', async () => {
    let email = 'ann@example.org';
    const switchPerson = () => (email = 'bob@example.org');
    const { dispatch, seen } = setUp(addCommand(switchPerson), page({ collect: [{ title: 'a' }] }), { person: () => email });
    expect(await dispatch(invocation('news.add'), 'key')).toMatchObject({ status: 'done' });
    expect([seen.notices, seen.reached, seen.refreshed]).toEqual([[], [], ['news']]);
    expect($history.get()).toMatchObject([{ by: 'ann@example.org' }]);
    email = 'ann@example.org';
    const refusedRun = setUp(
      addCommand(() => {
        switchPerson();
        throw new ApiError('FORBIDDEN');
      }),
      page(),
      { person: () => email },
    );
    expect(await refusedRun.dispatch(invocation('news.add', { params: { title: 'a' } }), 'undo')).toMatchObject({
      status: 'failed',
    });
    expect(refusedRun.seen.notices).toEqual([]);
  });

  test('a repeat shows its values before they reach another record', async () => {
    const { dispatch, seen } = setUp(addCommand(), page({ collect: [null] }));
    expect(await dispatch({ id: 'news.add', params: { title: 'x' } }, 'repeat')).toEqual({ status: 'canceled' });
    expect(seen.questions[0]?.params).toEqual({ title: 'x' });
  });

  test('a missing second factor is reported with a button that sets one up, and never to a script', async () => {
    const { dispatch, seen } = setUp(
      addCommand(() => {
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
      addCommand(() => {
        throw new Error('inside');
      }),
    );
    expect(await dispatch({ id: 'news.hide' }, 'script')).toMatchObject({ error: { code: 'UNKNOWN_COMMAND' } });
    await dispatch({ id: 'news.add', params: { title: 'x' } }, 'button');
    expect(seen.notices.at(-1)).toMatchObject({ kind: 'error', key: 'errors.code.INTERNAL' });
  });
});

describe('a selection in which some records are not allowed', () => {
  const shownTarget = newsTarget(row('b', { shown: true }));
  const mixedTargets = [newsTarget(row('a')), shownTarget, newsTarget(row('c'))];
  const showCommand = (ranTargets: string[][], when: (targets: readonly Target<'news'>[]) => boolean) =>
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
        ranTargets.push(targets.map(({ id }) => id));
      },
    }) as AnyCommand;
  const rules = {
    'a rule that one is enough for': (targets: readonly Target<'news'>[]) => targets.some((target) => !target.row.shown),
    'a rule for each of them': (targets: readonly Target<'news'>[]) => targets.every((target) => !target.row.shown),
  };

  for (const [name, rule] of Object.entries(rules))
    test(`${name}: lists them with reasons, and runs the others after a yes`, async () => {
      const ranTargets: string[][] = [];
      const { dispatch, seen } = setUp(showCommand(ranTargets, rule), page({ confirm: true }));
      await dispatch({ id: 'news.show' }, 'button', mixedTargets);
      expect(seen.left).toEqual(['b: news.blocked.shown']);
      expect(ranTargets).toEqual([['a', 'c']]);
      expect(seen.released).toEqual(['a', 'c', 'b']);
    });

  test('runs nothing after a no and keeps the selection', async () => {
    const ranTargets: string[][] = [];
    const { dispatch, seen } = setUp(showCommand(ranTargets, rules['a rule for each of them']));
    expect(await dispatch({ id: 'news.show' }, 'key', mixedTargets)).toEqual({ status: 'canceled' });
    expect([seen.asked, ranTargets, seen.released]).toEqual([1, [], []]);
  });

  test('shows no list when none or all are allowed', async () => {
    const ranTargets: string[][] = [];
    const { dispatch, seen } = setUp(showCommand(ranTargets, rules['a rule for each of them']));
    await dispatch({ id: 'news.show' }, 'key', [newsTarget(row('a')), newsTarget(row('c'))]);
    expect(await dispatch({ id: 'news.show' }, 'key', [shownTarget, shownTarget])).toMatchObject({ error: { code: 'BLOCKED' } });
    expect([seen.asked, ranTargets]).toEqual([0, [['a', 'c']]]);
  });

  test('refuses a combination that is not allowed together', async () => {
    const ranTargets: string[][] = [];
    const { dispatch } = setUp(showCommand(ranTargets, (targets) => targets.length < 2));
    expect(await dispatch({ id: 'news.show' }, 'key', mixedTargets)).toMatchObject({ error: { code: 'BLOCKED' } });
    expect(ranTargets).toEqual([]);
  });

  test('runs all or none for a script', async () => {
    const ranTargets: string[][] = [];
    const { dispatch } = setUp(showCommand(ranTargets, rules['a rule for each of them']));
    expect(await dispatch({ id: 'news.show', confirm: true }, 'script', mixedTargets)).toMatchObject({
      error: { code: 'BLOCKED' },
    });
    expect(ranTargets).toEqual([]);
  });
});

describe('the result on screen', () => {
  const addWithoutParams = { ...addCommand(() => ({ id: 'new', version: 1 })), params: null } as AnyCommand;

  test('moves the cursor to a new record once the list is loaded, or links to it if the filter hides it', async () => {
    for (const isHidden of [false, true]) {
      const { dispatch, seen } = setUp(addWithoutParams, page({ hides: isHidden }));
      await dispatch({ id: 'news.add' }, 'key');
      expect([seen.refreshed, seen.reached]).toEqual([['news'], ['new']]);
      expect(seen.notices[0]?.unseen).toEqual(isHidden ? { resource: 'news', id: 'new' } : undefined);
    }
  });

  test('moves the cursor to an undone record and keeps the selection', async () => {
    const command = {
      ...deleteCommand([]),
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
  const command = deleteCommand([]);
  expect(assess(command, context({ codes: new Set() }), [])).toEqual({ state: 'hidden' });
  expect(assess(command, context({ signedIn: false }), [])).toEqual({ state: 'hidden' });
  expect(assess(command, context(), [])).toEqual({ state: 'blocked', reason: 'palette.blocked.pickFirst' });
  expect(assess(command, context(), [newsTarget(row('a'))])).toEqual({ state: 'ok' });
  const pathCommand = { ...addCommand(), permission: '/news' } as AnyCommand;
  expect(assess(pathCommand, context({ paths: new Set() }), [])).toEqual({ state: 'hidden' });
  expect(assess(pathCommand, context(), [])).toEqual({ state: 'ok' });
});

test('a registry refuses a duplicate id', () => {
  expect(() => createRegistry([addCommand()], [addCommand()])).toThrow('news.add');
});
