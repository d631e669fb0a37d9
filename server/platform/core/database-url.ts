import { isLoopback } from './config-checks.ts';

export interface DatabaseHosts {
  readonly urls: readonly [string, ...string[]];
  /** `10.0.0.1:5432`. */
  readonly names: readonly string[];
  readonly readWrite: boolean;
}

const spelling = 'postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write';
const parts = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/** Worded to follow the variable's name. */
export function databaseUrlProblem(url: string): string | null {
  if (!/^postgres(ql)?:\/\/./.test(url)) return 'must be a postgres:// URL';
  if (!parts.test(url)) return 'contains a # or a line break. Write a # in a password as %23';
  const { hosts, query } = split(url);
  const requested = query.get('target_session_attrs');
  if (query.get('host')?.includes(',') || query.get('port')?.includes(',')) return `must list several hosts like ${spelling}`;
  if (hosts.length === 1) return isWriting(requested) || requested === null || requested === 'any' ? null : mustWrite;
  const wrong = hosts.find((host) => !isHost(host));
  if (wrong !== undefined)
    return `contains ${wrong === '' ? 'an empty host' : `"${wrong}", which isn’t a host`}. List several hosts like ${spelling}`;
  const names = hosts.map(withPort);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) return `lists ${twice} twice`;
  return isWriting(requested) ? null : mustWrite;
}

const mustWrite = 'must end in ?target_session_attrs=read-write when it lists several hosts, so that writes go to the primary';

export function databaseHosts(url: string): DatabaseHosts {
  const { protocol, user, hosts, path, query } = split(url);
  const readWrite = isWriting(query.get('target_session_attrs'));
  if (!readWrite)
    return {
      urls: [url],
      names: [hosts[0]?.replaceAll(/%2f/gi, '/') || (query.get('host') ?? 'localhost')].map(withPort),
      readWrite,
    };
  query.delete('target_session_attrs');
  const rest = query.size > 0 ? `${path}?${query}` : path;
  const names = hosts.map(withPort);
  const [first = '', ...others] = names.map((name) => `${protocol}${user}${name}${rest}`);
  return { urls: [first, ...others], names, readWrite };
}

function split(url: string) {
  const [, protocol = '', authority = '', path = '', query = ''] = parts.exec(url) ?? [];
  const at = authority.lastIndexOf('@') + 1;
  return {
    protocol,
    user: authority.slice(0, at),
    hosts: authority.slice(at).split(','),
    path,
    query: new URLSearchParams(query),
  };
}

const isWriting = (requested: string | null) => requested === 'read-write' || requested === 'primary';

const withPort = (host: string) => (/:\d+$/.test(host) || host.startsWith('/') ? host : `${host}:5432`);

function isHost(text: string): boolean {
  const [, port = '5432'] = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]%]+)(?::(\d{1,5}))?$/.exec(text) ?? ['', '0'];
  return Number(port) > 0 && Number(port) < 65_536;
}

/** Hosts, ports and name of the database, without user and password. */
export function placeOf(url: string): string {
  const { names } = databaseHosts(url);
  return `${names.join(',')}${split(url).path}`;
}

/** Socket file or loopback. */
export const isOnThisMachine = (url: string): boolean =>
  databaseHosts(url).names.every((name) => name.startsWith('/') || isLoopback(`http://${name}`));
