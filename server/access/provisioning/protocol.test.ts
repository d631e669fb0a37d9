import { describe, expect, test } from 'vitest';
import { entra, google, okta } from './fixtures.ts';
import { parseGroupFilter, parseUserFilter } from './filter.ts';
import { patchGroup, readNewGroup, type GroupAttributes } from './group-attributes.ts';
import { ScimError } from './scim-error.ts';
import { patchUser, readNewUser, replaceUser, type CheckedUser } from './user-attributes.ts';

const id = '6f1cfa2e-3f8a-4b59-9d41-0d9a2f5e6c11';
const user: CheckedUser = readNewUser(okta.newUser({ email: 'ada@example.com', externalId: 'okta-1' }));
const group: GroupAttributes = readNewGroup({ displayName: 'Editors', members: [{ value: id }] });
const patch = (...operations: unknown[]) => ({ Operations: operations });

const errorOf = (run: () => unknown): string | null => {
  try {
    run();
    return null;
  } catch (error) {
    if (error instanceof ScimError) return error.scimType;
    throw error;
  }
};

describe('a new user', () => {
  test.each([
    ['Okta', okta.newUser({ email: 'Ada@Example.com', externalId: 'x' })],
    ['Entra', entra.newUser({ email: 'Ada@Example.com', externalId: 'x' })],
    ['Google', google.newUser({ email: 'Ada@Example.com', externalId: 'x' })],
  ])('in the shape of %s is read, and what isn’t kept is ignored', (_, body) => {
    expect(readNewUser(body)).toMatchObject({
      userName: 'Ada@Example.com',
      externalId: 'x',
      active: true,
      email: 'ada@example.com',
    });
    expect(JSON.stringify(readNewUser(body))).not.toContain('1mz050nq');
  });

  test.each([
    [
      'the primary email',
      [{ value: 'a@x.io' }, { value: 'b@x.io', type: 'work' }, { value: 'c@x.io', primary: 'True' }],
      'c@x.io',
    ],
    ['the email of work if none is primary', [{ value: 'a@x.io' }, { value: 'b@x.io', type: 'WORK' }], 'b@x.io'],
    ['the first email otherwise', [{ value: 'a@x.io', type: 'home' }, { value: 'b@x.io' }], 'a@x.io'],
    ['the user name without emails', undefined, 'ada@example.com'],
  ])('has %s', (_, emails, email) => {
    expect(readNewUser({ userName: 'ada@example.com', emails }).email).toBe(email);
  });

  test.each([
    ['no user name', { emails: [{ value: 'a@x.io' }] }],
    ['no email', { userName: 'ada' }],
    ['an invalid email', { userName: 'ada', emails: [{ value: 'ada at x' }] }],
    ['a number for a name', { userName: 'a@x.io', displayName: 7 }],
    ['a long name', { userName: 'a@x.io', displayName: 'x'.repeat(255) }],
    ['a control character', { userName: 'a@x.io', displayName: 'a\u0000b' }],
    ['a bidirectional mark', { userName: 'a@x.io', displayName: 'a\u202Eb' }],
    ['an active value that isn’t a boolean', { userName: 'a@x.io', active: 'yes' }],
  ])('with %s is refused', (_, body) => {
    expect(errorOf(() => readNewUser(body))).toBe('invalidValue');
  });

  test.each([[null], [[]], ['text'], [7]])('%j is refused as a body', (body) => {
    expect(errorOf(() => readNewUser(body))).toBe('invalidSyntax');
  });
});

describe('a patch of a user', () => {
  test.each([
    ['Okta', okta.setActive(false)],
    ['Entra as text', entra.setActiveText('False')],
    ['Entra without a path', entra.setActivePathless(false)],
    ['Entra with the core schema', entra.setActiveInSchema('false')],
    ['Google', google.suspend()],
  ])('deactivates in the shape of %s', (_, body) => {
    expect(patchUser(user, body, id)).toEqual({ ...user, active: false });
    expect(patchUser({ ...user, active: false }, entra.setActiveText('True'), id).active).toBe(true);
  });

  test('changes names and ignores manager, department and phone numbers', () => {
    expect(patchUser(user, entra.changeNames('A. Byron', 'King'), id)).toEqual({
      ...user,
      displayName: 'A. Byron',
      familyName: 'King',
    });
    expect(patchUser(user, entra.changeWrapped('Wrapped'), id).displayName).toBe('Wrapped');
    expect(patchUser(user, entra.changePathless('Augusta', 'New@Example.com'), id)).toMatchObject({
      givenName: 'Augusta',
      email: 'new@example.com',
    });
  });

  test('changes the email of work also if there was none, and leaves other kinds alone', () => {
    expect(patchUser(user, entra.changeEmail('new@example.com'), id).email).toBe('new@example.com');
    const home = patch({ op: 'add', path: 'emails[type eq "home"].value', value: 'home@example.com' });
    expect(patchUser(user, home, id)).toEqual(user);
    expect(patchUser(user, patch({ op: 'remove', path: 'emails' }), id).email).toBe('ada@example.com');
  });

  test('with no operation changes nothing', () => {
    expect(patchUser(user, patch(), id)).toEqual(user);
  });

  test.each([
    ['id', 'mutability', { op: 'replace', path: 'id', value: id }],
    ['id without a path', 'mutability', { op: 'replace', value: { id: 'other' } }],
    ['meta', 'mutability', { op: 'replace', path: 'meta.created', value: '2020' }],
    ['groups', 'mutability', { op: 'add', path: 'groups', value: [{ value: id }] }],
    ['nothing', 'noTarget', { op: 'remove' }],
    ['an unknown operation', 'invalidSyntax', { op: 'move', path: 'displayName' }],
    ['a long path', 'invalidPath', { op: 'replace', path: '('.repeat(5_000), value: 'x' }],
    ['a path that is no text', 'invalidPath', { op: 'replace', path: {}, value: 'x' }],
    ['an object for a name', 'invalidValue', { op: 'replace', path: 'displayName', value: {} }],
    ['the user name away', 'invalidValue', { op: 'remove', path: 'userName' }],
  ])('of %s is refused with %s', (_, scimType, operation) => {
    expect(errorOf(() => patchUser(user, patch(operation), id))).toBe(scimType);
  });

  test('accepts the user’s own id beside other attributes, as Okta sends it', () => {
    expect(patchUser(user, patch({ op: 'replace', value: { id, displayName: 'Ada' } }), id).displayName).toBe('Ada');
  });
});

test('a PUT without active or external ID keeps both, and empties other attributes that it leaves out', () => {
  expect(replaceUser({ ...user, active: false }, { id, meta: {}, groups: [], userName: 'ada@example.com' })).toEqual({
    ...user,
    active: false,
    displayName: '',
    formattedName: '',
    givenName: '',
    familyName: '',
  });
});

describe('a patch of a group', () => {
  const other = '0d9a2f5e-3f8a-4b59-9d41-6f1cfa2e6c11';

  test('adds a member once', () => {
    const added = patchGroup(group, entra.addMember(other), 'g');
    expect([...patchGroup(added, okta.addMember(other.toUpperCase(), 'x'), 'g').members]).toEqual([id, other]);
  });

  test.each([
    ['by path', entra.removeMemberByPath(id)],
    ['by a list of values', entra.removeMemberByList(id)],
    ['as all', patch({ op: 'remove', path: 'members' })],
    ['by a replacement', okta.replaceMembers([])],
  ])('removes a member %s', (_, body) => {
    expect([...patchGroup(group, body, 'g').members]).toEqual([]);
  });

  test('renames in the shape of Okta, and refuses another id', () => {
    expect(patchGroup(group, okta.renameGroup('g', 'Writers'), 'g').displayName).toBe('Writers');
    expect(errorOf(() => patchGroup(group, okta.renameGroup('other', 'Writers'), 'g'))).toBe('mutability');
  });
});

describe('a filter', () => {
  test.each([
    ['userName eq "a@x.io"', [{ attribute: 'userName', value: 'a@x.io' }]],
    ['USERNAME EQ "a@x.io"', [{ attribute: 'userName', value: 'a@x.io' }]],
    ['externalId eq "a \\"b\\""', [{ attribute: 'externalId', value: 'a "b"' }]],
    ['emails.value eq "a@x.io"', [{ attribute: 'email', value: 'a@x.io' }]],
    ['emails[type eq "work"].value eq "a@x.io"', [{ attribute: 'email', value: 'a@x.io' }]],
    ['urn:ietf:params:scim:schemas:core:2.0:User:userName eq "a"', [{ attribute: 'userName', value: 'a' }]],
    [
      'active eq true and displayName eq "x"',
      [
        { attribute: 'active', value: true },
        { attribute: 'displayName', value: 'x' },
      ],
    ],
    ['active eq "False"', [{ attribute: 'active', value: false }]],
  ])('%s is read', (text, conditions) => {
    expect(parseUserFilter(text)).toEqual(conditions);
  });

  test.each([
    [''],
    ['userName'],
    ['userName sw "a"'],
    ['userName eq a'],
    ['userName eq "a" or userName eq "b"'],
    ['not (userName eq "a")'],
    ['(userName eq "a")'],
    ['userName eq "a" and'],
    ['userName eq "a"and userName eq "b" x'],
    ['title eq "x"'],
    ['__proto__ eq "x"'],
    ['constructor eq "x"'],
    ['userName eq true'],
    ['active eq "yes"'],
    [`userName eq "${'x'.repeat(500)}"`],
  ])('%s is refused', (text) => {
    expect(errorOf(() => parseUserFilter(text))).toBe('invalidFilter');
  });

  test('of groups refuses attributes of users', () => {
    expect(parseGroupFilter('displayName eq "Editors"')).toEqual([{ attribute: 'displayName', value: 'Editors' }]);
    expect(errorOf(() => parseGroupFilter('userName eq "a"'))).toBe('invalidFilter');
  });
});

const poison = ['__proto__', 'constructor', 'prototype', 'toString', 'hasOwnProperty', 'valueOf'];

test.each(poison.flatMap((name) => [name, `${name}.isAdmin`, `${name}.prototype.isAdmin`, `name.${name}`, `emails.${name}`]))(
  'a patch of %s changes neither the user nor any prototype',
  (path) => {
    const prototypes = () =>
      [Object.prototype, Array.prototype, Function.prototype].map((object) => Object.getOwnPropertyNames(object));
    const before = prototypes();
    const value = JSON.parse('{"__proto__": {"isAdmin": true}, "constructor": {"prototype": {"isAdmin": true}}}') as object;
    for (const body of [
      patch({ op: 'add', path, value }),
      patch({ op: 'replace', value: JSON.parse(`{${JSON.stringify(path)}: true}`) }),
    ]) {
      expect(patchUser(user, body, id)).toEqual(user);
      expect(patchGroup(group, body, 'g')).toEqual(group);
    }
    expect(prototypes()).toEqual(before);
    expect(({} as { isAdmin?: boolean }).isAdmin).toBeUndefined();
  },
);

describe('random input', () => {
  /** Repeatable. */
  function createRandom(seed: number) {
    let state = seed;
    return (limit: number) => {
      state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
      return Math.floor((state / 2 ** 32) * limit);
    };
  }
  const words = [
    'userName',
    'externalId',
    'active',
    'displayName',
    'name',
    'name.givenName',
    'emails',
    'emails[type eq "work"].value',
    'members',
    `members[value eq "${id}"]`,
    'id',
    'meta',
    'groups',
    'schemas',
    'Operations',
    'op',
    'path',
    'value',
    'add',
    'replace',
    'remove',
    'True',
    'False',
    'a@x.io',
    '',
    '__proto__',
    'constructor',
    '(',
    '[',
    '"',
    '\\',
    '\u0000',
    '\ud800',
    'urn:ietf:params:scim:schemas:core:2.0:User:userName',
  ];

  function randomValue(random: (limit: number) => number, depth = 0): unknown {
    const kind = random(depth > 4 ? 5 : 8);
    if (kind < 2) return words[random(words.length)];
    if (kind === 2) return random(2) === 0;
    if (kind === 3) return random(1_000) - 500;
    if (kind === 4) return null;
    if (kind === 5) return Array.from({ length: random(4) }, () => randomValue(random, depth + 1));
    return Object.fromEntries(
      Array.from({ length: random(5) }, () => [words[random(words.length)] ?? '', randomValue(random, depth + 1)]),
    );
  }

  test('of 10,000 bodies raises nothing but SCIM errors, and keeps users valid', () => {
    const random = createRandom(58);
    for (let round = 0; round < 10_000; round++) {
      const operation = {
        op: ['add', 'Replace', 'remove', 'x'][random(4)],
        path: words[random(words.length)],
        value: randomValue(random),
      };
      const body = random(2) === 0 ? patch(operation, randomValue(random)) : randomValue(random);
      for (const read of [
        () => readNewUser(body),
        () => replaceUser(user, body),
        () => patchUser(user, random(3) === 0 ? body : patch(operation), id),
      ])
        try {
          expect(read()).toMatchObject({
            userName: expect.stringMatching(/./),
            active: expect.any(Boolean),
            email: expect.stringMatching(/@/),
          });
        } catch (error) {
          if (!(error instanceof ScimError)) throw error;
        }
      errorOf(() => readNewGroup(body));
      errorOf(() => patchGroup(group, patch(operation), 'g'));
    }
  });

  test('of 10,000 filters raises nothing but invalidFilter', () => {
    const random = createRandom(7);
    for (let round = 0; round < 10_000; round++) {
      const text = Array.from(
        { length: random(8) },
        () => [...words, 'eq', 'and', ' ', '"a"', 'true'][random(words.length + 5)],
      ).join(' ');
      expect([null, 'invalidFilter']).toContain(errorOf(() => parseUserFilter(text)));
    }
  });

  test.each([
    ['5,000 parentheses', () => parseUserFilter('('.repeat(5_000))],
    ['500 backslashes', () => parseUserFilter(`userName eq "${'\\'.repeat(480)}`)],
    ['500 spaces', () => parseUserFilter(`userName${' '.repeat(480)}x`)],
    ['a value of 100 kB', () => patchUser(user, patch({ op: 'replace', path: 'displayName', value: 'x'.repeat(100_000) }), id)],
    ['a key of 100 kB', () => patchUser(user, patch({ op: 'replace', value: { [`"${'\\"'.repeat(50_000)}`]: 1 } }), id)],
    [
      '1,000 operations',
      () => patchUser(user, patch(...Array.from({ length: 1_000 }, () => ({ op: 'add', path: 'displayName', value: 'x' }))), id),
    ],
    [
      '20,000 operations',
      () => patchUser(user, patch(...Array.from({ length: 20_000 }, () => ({ op: 'add', path: 'x', value: 'x' }))), id),
    ],
    [
      '5,000 members',
      () => patchGroup(group, okta.replaceMembers(Array.from({ length: 5_000 }, (_, at) => `member-${at}`)), 'g'),
    ],
  ])('%s take less than 200 ms', (_, run) => {
    const start = performance.now();
    errorOf(run);
    expect(performance.now() - start).toBeLessThan(200);
  });
});
