import * as z from 'zod/mini';
import { isHttp, splitList } from './urls.ts';

/** The first one answers all other reads. */
export type NodeUrls = readonly [string, ...string[]];

const problemOf = ([first, ...others]: readonly string[]): string | null => {
  if (first === undefined || ![first, ...others].every(isHttp))
    return 'must be one or more http:// or https:// URLs, separated by commas';
  const hosts = [first, ...others].map((url) => new URL(url).host);
  const twice = hosts.find((host, at) => hosts.indexOf(host) !== at);
  return twice === undefined ? null : `names ${twice} twice. A node can’t confirm itself. Name nodes on different hosts`;
};

const nodeUrls = z.pipe(
  z.string(),
  z.transform((value, payload): NodeUrls => {
    const urls = splitList(value);
    const problem = problemOf(urls);
    const [first, ...others] = urls;
    if (problem === null && first !== undefined) return [first, ...others];
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
  { EVM_RPC_URLS: several, EVM_RPC_URL: one }: Values,
  refuse: (line: string) => Error,
): { name: 'EVM_RPC_URLS' | 'EVM_RPC_URL'; urls: NodeUrls } | null {
  if (several && one !== undefined) throw refuse('EVM_RPC_URL: EVM_RPC_URLS is set too. Keep one of the two');
  if (several) return { name: 'EVM_RPC_URLS', urls: several };
  return one === undefined ? null : { name: 'EVM_RPC_URL', urls: [one] };
}
