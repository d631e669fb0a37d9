import { readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { listContractRoutes, type RouteMeta } from '../api/route.ts';
import { contract } from '../api/contract.ts';
import { flattenMenu } from '../api/menu.ts';
import { rawRoutes } from '../server/app.ts';
import { enrollmentRoutes, mayCall, passwordSetupRoutes } from '../server/platform/auth/guard.ts';
import { readConfig } from '../server/platform/core/config.ts';
import { readSeededGrants, seededRoles, type RoleName } from '../server/seed/roles.ts';
import { registry } from '../src/commands/app/all.ts';

const roles = Object.keys(seededRoles) as RoleName[];

interface Route {
  name: string;
  call: string;
  meta: RouteMeta;
}

/** Every production route by name. */
export function permissionRoutes(): Route[] {
  const foundRoutes = listContractRoutes(contract).map(({ name, http, meta }) => ({
    name,
    call: `${http.method ?? 'POST'} /api${http.path ?? ''}`,
    meta,
  }));
  const rawRouteList = rawRoutes(readConfig({ NODE_ENV: 'production', PUBLIC_URL: 'https://panel.example.com' }));
  return [...foundRoutes, ...rawRouteList.map(({ method, path, meta }) => ({ name: '', call: `${method} ${path}`, meta }))];
}

/** Text of docs/permissions.md. */
export function permissionMatrix(): string {
  const grantsByRole = new Map(roles.map((role) => [role, readSeededGrants(role)]));
  const markCells = (isAllowed: (granted: ReadonlySet<string>) => boolean) =>
    roles.map((role) => (isAllowed(grantsByRole.get(role) ?? new Set()) ? '✓' : ''));
  return [
    '# Permissions',
    '',
    'Generated from the code by `npm run permissions`. A test fails when this page is out of date, so reviews show every change of permissions. The columns are the roles of a new installation. Roles created in the panel grant any of the same paths and command IDs.',
    '',
    '## Routes',
    '',
    'Each route needs one permission (a command ID), one screen (a path), a signed-in account, or nothing. *Fresh*: the person must have confirmed a second factor in the last five minutes. Each route is also available as `POST /rpc/<name>`.',
    '',
    markdownTable(
      ['Route', 'Call', 'Permission', ...roles],
      permissionRoutes().map(({ name, call, meta }) => [
        codeSpan(name),
        codeSpan(call),
        requirementOf(meta),
        ...markCells((granted) => mayCall(meta, granted)),
      ]),
    ),
    '## Commands',
    '',
    'What the panel offers. The server enforces the routes above.',
    '',
    markdownTable(
      ['Command', 'Permission', 'Danger', ...roles],
      registry.all
        .toSorted((a, b) => (a.id < b.id ? -1 : 1))
        .map(({ id, permission, danger }) => [
          codeSpan(id),
          permission === 'anyone' ? 'signed in' : codeSpan(permission),
          danger === 'none' ? '' : danger,
          ...markCells((granted) => permission === 'anyone' || granted.has(permission)),
        ]),
    ),
    '## Screens',
    '',
    markdownTable(
      ['Screen', ...roles],
      flattenMenu()
        .filter(({ children }) => !children)
        .map(({ path }) => [codeSpan(path), ...markCells((granted) => granted.has(path))]),
    ),
    '## Accounts with an open sign-in step',
    '',
    'With a password that a colleague set, only these routes are allowed (`PASSWORD_REQUIRED`), whatever the roles:',
    '',
    ...list(passwordSetupRoutes),
    '',
    'Without a second factor that a role requires, only these (`FACTOR_REQUIRED`):',
    '',
    ...list(enrollmentRoutes),
    '',
  ].join('\n');
}

function requirementOf(meta: RouteMeta): string {
  if ('permission' in meta) return `${codeSpan(meta.permission)}${meta.fresh ? ', fresh' : ''}`;
  if ('menu' in meta) return codeSpan(meta.menu);
  return 'signedIn' in meta ? 'signed in' : '**nothing**';
}

export const codeSpan = (text: string) => (text === '' ? '' : `\`${text}\``);
const list = (names: ReadonlySet<string>) => [...names].toSorted().map((name) => `- ${codeSpan(name)}`);
const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
export const markdownTable = (head: readonly string[], rows: readonly (readonly string[])[]) =>
  [line(head), line(head.map(() => '---')), ...rows.map(line), ''].join('\n');

const file = new URL('../docs/permissions.md', import.meta.url);
export const committedMatrix = () => readFileSync(file, 'utf8');

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) writeFileSync(file, permissionMatrix());
