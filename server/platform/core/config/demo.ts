import { onOff, whole, type About, type ValuesOf } from './values.ts';

export const demoVariables = {
  /** Whether an empty development database is filled with demo news and feedback; production never is. */
  DEMO_NEWS: onOff.optional(),
  /** Whether the page of a demo with a devnet of its own offers the demo wallet; no other page can. */
  DEMO_WALLET: onOff.optional(),
  /** Whether a demo on this machine can be reset, kept and steered by who tests it; nothing else starts with it. */
  QA_TOOLS: onOff.default('off'),
  /** Whether development without EVM_RPC_URL starts the devnet. */
  DEVNET: onOff.optional(),
  /** Seconds between the devnet's blocks, besides those that transactions make. */
  DEVNET_BLOCK_SECONDS: whole(1, 60).default(4),
};

export interface DemoConfig {
  readonly demoNews: boolean;
  readonly demoWallet: boolean;
  /** Whether the routes that steer a test environment are there. */
  readonly qaTools: boolean;
  /** Whether the server starts a devnet to fill `evm`. */
  readonly devnet: boolean;
  readonly devnetBlockSeconds: number;
}

/** What only development and demos have. */
export function readDemo(
  values: ValuesOf<typeof demoVariables>,
  { production, development, demo, hasChain }: About & { hasChain: boolean },
): DemoConfig {
  const inDevelopment = (wanted: 'on' | 'off' | undefined) => (wanted ? wanted === 'on' : development);
  const devnet = !production && !hasChain && inDevelopment(values.DEVNET);
  return {
    demoNews: demo && inDevelopment(values.DEMO_NEWS),
    demoWallet: demo && devnet && inDevelopment(values.DEMO_WALLET),
    qaTools: demo && values.QA_TOOLS === 'on',
    devnet,
    devnetBlockSeconds: values.DEVNET_BLOCK_SECONDS,
  };
}
