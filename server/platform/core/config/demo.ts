import { onOffText, integerText, type ConfigContext, type ValuesOf } from './values.ts';

export const demoVariables = {
  DEMO_NEWS: onOffText.optional(),
  DEMO_WALLET: onOffText.optional(),
  /** Lets QA reset and control a demo on this machine. */
  QA_TOOLS: onOffText.default('off'),
  DEVNET: onOffText.optional(),
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
  const isEnabledInDevelopment = (setting: 'on' | 'off' | undefined) => (setting ? setting === 'on' : development);
  const devnet = !production && !hasChain && isEnabledInDevelopment(values.DEVNET);
  return {
    demoNews: demo && isEnabledInDevelopment(values.DEMO_NEWS),
    demoWallet: demo && devnet && isEnabledInDevelopment(values.DEMO_WALLET),
    qaTools: demo && values.QA_TOOLS === 'on',
    devnet,
    devnetBlockSeconds: values.DEVNET_BLOCK_SECONDS,
  };
}
