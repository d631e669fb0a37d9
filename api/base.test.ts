import { expect, test } from 'vitest';
import { route } from './base.ts';

test('the type of a route’s access metadata refuses missing and mixed access rules', () => {
  const acceptedMetas = [
    route.meta({ permission: 'news.add' }),
    route.meta({ permission: 'deposits.confirm', fresh: true, keyed: true }),
    route.meta({ menu: '/news' }),
    route.meta({ signedIn: true }),
    route.meta({ public: true }),
  ];
  const rejectedMetas = [
    // @ts-expect-error it says nothing
    route.meta({}),
    // @ts-expect-error no such word
    route.meta({ permision: 'news.add' }),
    // @ts-expect-error no such word beside a lawful one
    route.meta({ permission: 'news.add', fresch: true }),
    // @ts-expect-error unknown permission
    route.meta({ permission: 'no.such.right' }),
    // @ts-expect-error no such screen
    route.meta({ menu: '/nowhere' }),
    // @ts-expect-error a screen outside the permission tree
    route.meta({ menu: '/account' }),
    // @ts-expect-error two of them
    route.meta({ permission: 'news.add', public: true }),
    // @ts-expect-error two of them
    route.meta({ signedIn: true, public: true }),
    // @ts-expect-error reads need no factor
    route.meta({ menu: '/news', fresh: true }),
    // @ts-expect-error left out, not said no to
    route.meta({ public: false }),
  ];
  expect([acceptedMetas.length, rejectedMetas.length]).toEqual([5, 10]);
});
