import { isLoopback } from './config-checks.ts';

export interface DatabaseHosts {
  readonly urls: readonly [string, ...string[]];
  /** `10.0.0.1:5432`. */
  readonly names: readonly string[];
  readonly readWrite: boolean;
}

const urlFormat = 'postgres://user:password@host1:5432,host2:5432/database?target_session_attrs=read-write';
const urlPattern = /^(postgres(?:ql)?:\/\/)([^/?#]*)([^?#]*)(?:\?([^#]*))?$/;

/** Worded to follow the variable's name. */
export function findDatabaseUrlProblem(url: string): string | null {
  if (!/^postgres(ql)?:\/\/./.test(url)) return 'must be a postgres:// URL';
  if (!urlPattern.test(url)) return 'contains a # or a line break. Write a # in a password as %23';
  const { hosts, query } = splitUrl(url);
  const sessionAttributes = query.get('target_session_attrs');
  if (query.get('host')?.includes(',') || query.get('port')?.includes(',')) return `must list several hosts like ${urlFormat}`;
  if (hosts.length === 1)
    return requiresPrimary(sessionAttributes) || sessionAttributes === null || sessionAttributes === 'any' ? null : mustWrite;
  const invalidHost = hosts.find((host) => !isHost(host));
  if (invalidHost !== undefined)
    return `contains ${invalidHost === '' ? 'an empty host' : `"${invalidHost}", which isn’t a host`}. List several hosts like ${urlFormat}`;
  const names = hosts.map(addDefaultPort);
  const duplicateHost = names.find((name, index) => names.indexOf(name) !== index);
  if (duplicateHost !== undefined) return `lists ${duplicateHost} twice`;
  return requiresPrimary(sessionAttributes) ? null : mustWrite;
}

const mustWrite = 'must end in ?target_session_attrs=read-write when it lists several hosts, so that writes go to the primary';

export function parseDatabaseHosts(url: string): DatabaseHosts {
  const { protocol, user, hosts, path, query } = splitUrl(url);
  const readWrite = requiresPrimary(query.get('target_session_attrs'));
  if (!readWrite)
    return {
      urls: [url],
      names: [hosts[0]?.replaceAll(/%2f/gi, '/') || (query.get('host') ?? 'localhost')].map(addDefaultPort),
      readWrite,
    };
  query.delete('target_session_attrs');
  const pathAndQuery = query.size > 0 ? `${path}?${query}` : path;
  const names = hosts.map(addDefaultPort);
  const [firstUrl = '', ...otherUrls] = names.map((name) => `${protocol}${user}${name}${pathAndQuery}`);
  return { urls: [firstUrl, ...otherUrls], names, readWrite };
}

function splitUrl(url: string) {
  const [, protocol = '', authority = '', path = '', query = ''] = urlPattern.exec(url) ?? [];
  const hostStart = authority.lastIndexOf('@') + 1;
  return {
    protocol,
    user: authority.slice(0, hostStart),
    hosts: authority.slice(hostStart).split(','),
    path,
    query: new URLSearchParams(query),
  };
}

const requiresPrimary = (sessionAttributes: string | null) =>
  sessionAttributes === 'read-write' || sessionAttributes === 'primary';

const addDefaultPort = (host: string) => (/:\d+$/.test(host) || host.startsWith('/') ? host : `${host}:5432`);

function isHost(text: string): boolean {
  const [, port = '5432'] = /^(?:\[[0-9a-fA-F:.]+\]|[^\s:[\]%]+)(?::(\d{1,5}))?$/.exec(text) ?? ['', '0'];
  return Number(port) > 0 && Number(port) < 65_536;
}

/** Hosts, ports and name of the database, without user and password. */
export function describeHosts(url: string): string {
  const { names } = parseDatabaseHosts(url);
  return `${names.join(',')}${splitUrl(url).path}`;
}

/** Socket file or loopback. */
export const isLocalDatabase = (url: string): boolean =>
  parseDatabaseHosts(url).names.every((name) => name.startsWith('/') || isLoopback(`http://${name}`));
