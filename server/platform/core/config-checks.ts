interface CheckedVariables {
  NODE_ENV: 'development' | 'production' | 'test';
  HOST: string;
  PUBLIC_URL?: string | undefined;
  SMTP_URL?: string | undefined;
  QA_TOOLS?: 'on' | 'off' | undefined;
  EVM_RPC_URL?: string | undefined;
  EVM_RPC_URLS?: readonly string[] | undefined;
  EVM_CHAIN_ID?: number | undefined;
  MINTER_KEY?: string | undefined;
  ESPLORA_URLS?: readonly string[] | undefined;
  BITCOIN_EXPLORER_URL?: string | undefined;
  EVM_EXPLORER_URL?: string | undefined;
}

export const devnetChain = 31_337;

/** Made-up data is allowed only on a loopback host with a local chain. */
export const isDemo = (values: CheckedVariables): boolean =>
  values.NODE_ENV !== 'production' && isLoopbackHost(values.HOST) && hasDefaultAddress(values) && hasLocalChain(values);

/** A public URL means a proxy in front of the loopback host. */
const hasDefaultAddress = ({ NODE_ENV, PUBLIC_URL }: CheckedVariables): boolean =>
  NODE_ENV === 'test' || PUBLIC_URL === undefined || isLoopback(PUBLIC_URL);

/** The built-in devnet, or a test's devnet on this machine. */
const hasLocalChain = (values: CheckedVariables): boolean => {
  const nodes = nodeUrlsOf(values);
  return nodes.length === 0 || (values.NODE_ENV === 'test' && values.EVM_CHAIN_ID === devnetChain && nodes.every(isLoopback));
};

const nodeUrlsOf = ({ EVM_RPC_URLS, EVM_RPC_URL }: CheckedVariables): readonly string[] =>
  EVM_RPC_URLS ?? (EVM_RPC_URL === undefined ? [] : [EVM_RPC_URL]);

/** One line naming the variable, or null. */
export function findUnsafeSetting(values: CheckedVariables): string | null {
  const { NODE_ENV, MINTER_KEY, ESPLORA_URLS = [], SMTP_URL } = values;
  const hosts = ESPLORA_URLS.map((url) => new URL(url).host);
  const duplicateHost = hosts.find((host, index) => hosts.indexOf(host) !== index);
  if (values.QA_TOOLS === 'on' && !isDemo(values))
    return 'QA_TOOLS can empty the database. Turn it on only outside production, with a loopback HOST and the built-in devnet';
  if (duplicateHost !== undefined) return `ESPLORA_URLS lists ${duplicateHost} twice. Use independent sources`;
  if (NODE_ENV !== 'production')
    return MINTER_KEY !== undefined && !hasLocalChain(values)
      ? 'MINTER_KEY is only for the built-in devnet. With EVM_RPC_URL, set it on the signer instead (npm run signer)'
      : null;
  if (MINTER_KEY !== undefined)
    return 'MINTER_KEY must not be set on the server in production. Set it on the signer instead (npm run signer)';
  if (ESPLORA_URLS.some((url) => !isPrivate(url, 'https:'))) return 'ESPLORA_URLS must contain only https:// URLs in production';
  if (SMTP_URL !== undefined && !isPrivate(SMTP_URL, 'smtps:')) return 'SMTP_URL must start with smtps:// in production';
  if (nodeUrlsOf(values).some((url) => !isPrivate(url, 'https:')))
    return values.EVM_RPC_URLS
      ? 'EVM_RPC_URLS must contain only https:// URLs in production'
      : 'EVM_RPC_URL must start with https:// in production';
  for (const name of ['BITCOIN_EXPLORER_URL', 'EVM_EXPLORER_URL'] as const) {
    const url = values[name];
    if (url !== undefined && url !== 'off' && !isPrivate(url, 'https:')) return `${name} must start with https:// in production`;
  }
  return null;
}

/** TLS or loopback. */
export const isPrivate = (url: string, protocol: string): boolean => new URL(url).protocol === protocol || isLoopback(url);

export const isLoopback = (url: string): boolean => isLoopbackHost(new URL(url).hostname);

export const isLoopbackHost = (host: string): boolean => ['localhost', '127.0.0.1', '::1', '[::1]'].includes(host.toLowerCase());
