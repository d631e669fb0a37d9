import { onOff, integerText, type ConfigContext, type ValuesOf } from './values.ts';

export const demoVariables = {
  DEMO_NEWS: onOff.optional(),
  DEMO_WALLET: onOff.optional(),
  /** Lets QA reset and control a demo on this machine. */
  QA_TOOLS: onOff.default('off'),
  DEVNET: onOff.optional(),
  /** Seconds. */
  DEVNET_BLOCK_SECONDS: integerText(1, 60).default(4),
};

export interface DemoConfig {
  readonly demoNews: boolean;
  readonly demoWallet: boolean;
  readonly qaTools: boolean;
  readonly devnet: boolean;
  readonly devnetBlockSeconds: number;
}

export function readDemo(
  values: ValuesOf<typeof demoVariables>,
  { production, development, demo, hasChain }: ConfigContext & { hasChain: boolean },
): DemoConfig {
  const inDevelopment = (setting: 'on' | 'off' | undefined) => (setting ? setting === 'on' : development);
  const devnet = !production && !hasChain && inDevelopment(values.DEVNET);
  return {
    demoNews: demo && inDevelopment(values.DEMO_NEWS),
    demoWallet: demo && devnet && inDevelopment(values.DEMO_WALLET),
    qaTools: demo && values.QA_TOOLS === 'on',
    devnet,
    devnetBlockSeconds: values.DEVNET_BLOCK_SECONDS,
  };
}
