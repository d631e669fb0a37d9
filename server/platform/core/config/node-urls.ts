import * as z from 'zod/mini';
import { isHttp, splitList } from './urls.ts';

/** The first one answers all other reads. */
export type NodeUrls = readonly [string, ...string[]];

const findProblem = ([firstUrl, ...otherUrls]: readonly string[]): string | null => {
  if (firstUrl === undefined || ![firstUrl, ...otherUrls].every(isHttp))
    return 'must be one or more http:// or https:// URLs, separated by commas';
  const hosts = [firstUrl, ...otherUrls].map((url) => new URL(url).host);
  const duplicateHost = hosts.find((host, index) => hosts.indexOf(host) !== index);
  return duplicateHost === undefined
    ? null
    : `names ${duplicateHost} twice. A node can’t confirm itself. Name nodes on different hosts`;
};

const nodeUrls = z.pipe(
  z.string(),
  z.transform((value, payload): NodeUrls => {
    const urls = splitList(value);
    const problem = findProblem(urls);
    const [firstUrl, ...otherUrls] = urls;
    if (problem === null && firstUrl !== undefined) return [firstUrl, ...otherUrls];
    payload.issues.push({ code: 'custom', message: problem ?? '', input: value });
    return z.NEVER;
  }),
);

export const nodeVariables = {
  /** All must agree where money depends on the answer. */
  EVM_RPC_URLS: z.optional(nodeUrls),
  EVM_RPC_URL: z.optional(z.string().check(z.refine(isHttp, { error: 'must be an http(s) URL' }))),
};

interface Values {
  EVM_RPC_URLS?: NodeUrls | undefined;
  EVM_RPC_URL?: string | undefined;
}

/** Throws `refuse(line)` if both variables are set. */
export function readNodes(
  { EVM_RPC_URLS: nodeUrls, EVM_RPC_URL: singleNodeUrl }: Values,
  createError: (line: string) => Error,
): { name: 'EVM_RPC_URLS' | 'EVM_RPC_URL'; urls: NodeUrls } | null {
  if (nodeUrls && singleNodeUrl !== undefined) throw createError('EVM_RPC_URL: EVM_RPC_URLS is set too. Keep one of the two');
  if (nodeUrls) return { name: 'EVM_RPC_URLS', urls: nodeUrls };
  return singleNodeUrl === undefined ? null : { name: 'EVM_RPC_URL', urls: [singleNodeUrl] };
}
