import * as z from 'zod';
import { isDemo, isLoopback, findUnsafeSetting } from './config-checks.ts';
import { alarmVariables, readAlarms, type AlarmConfig } from './config/alarms.ts';
import { custodyVariables, readCustody, type CustodyConfig } from './config/custody.ts';
import { demoVariables, readDemo, type DemoConfig } from './config/demo.ts';
import { evmVariables, readEvm, type ChainConfig } from './config/evm.ts';
import { readNodes } from './config/node-urls.ts';
import { authVariables, readAuth, type AuthConfig } from './config/auth.ts';
import { readServer, serverVariables, type ServerConfig } from './config/server.ts';
import { readSso, ssoVariables, type SsoConfig } from './config/sso.ts';
import { readStorage, storageVariables, type StorageConfig } from './config/storage.ts';
import { ConfigError, formatIssue } from './config/values.ts';
import { readWebsite, websiteVariables, type WebsiteConfig } from './config/website.ts';
import { fileVariableName, readEnvironment } from './secret-files.ts';

export { ConfigError };
export type { AlarmMail, AlarmWebhook } from './config/alarms.ts';
export type { EvmConfig } from './config/evm.ts';
export type { SsoConfig } from './config/sso.ts';
export type { S3Config } from './config/storage.ts';

const schema = z.object({
  ...serverVariables,
  ...storageVariables,
  ...authVariables,
  ...websiteVariables,
  ...demoVariables,
  ...evmVariables,
  ...custodyVariables,
  ...alarmVariables,
  ...ssoVariables,
});

/** Each can also be read from the file that `NAME_FILE` names. */
const secretVariables = [
  'SECRET_KEY',
  'SECRET_KEY_ACCEPTED',
  'DATABASE_URL',
  'DATABASE_DIRECT_URL',
  'DATABASE_READ_URL',
  'STATISTICS_DATABASE_URL',
  'SMTP_URL',
  'EVM_RPC_URL',
  'EVM_RPC_URLS',
  'SSO_CLIENT_SECRET',
  'ALARM_SECRET',
  'ALARM_WEBHOOKS',
  'S3_SECRET_ACCESS_KEY',
];

export const configVariables: readonly string[] = [...Object.keys(schema.shape), ...secretVariables.map(fileVariableName)];

/** Plain values only. docs/operations/configuration.md repeats them. */
export const defaultTexts: ReadonlyMap<string, string> = new Map(
  Object.entries(schema.shape).flatMap(([name, type]) => {
    const value: unknown = type instanceof z.ZodDefault ? type.def.defaultValue : undefined;
    return typeof value === 'string' || typeof value === 'number' ? [[name, String(value)] as const] : [];
  }),
);

export interface Config extends ServerConfig, StorageConfig, AuthConfig, WebsiteConfig, DemoConfig, ChainConfig, CustodyConfig {
  readonly production: boolean;
  /** See config-checks.ts. */
  readonly demo: boolean;
  /** Without a trailing slash. */
  readonly publicUrl: string;
  readonly alarms: AlarmConfig;
  /** Null: no identity provider. */
  readonly sso: SsoConfig | null;
}

/** Empty variables count as unset. Throws ConfigError. */
export function readConfig(env: Readonly<Record<string, string | undefined>> = process.env): Config {
  const names = { variables: Object.keys(schema.shape), secrets: secretVariables };
  const parseResult = schema.safeParse(readEnvironment(env, names, (line) => new ConfigError(line)));
  if (!parseResult.success) {
    const issue = parseResult.error.issues[0];
    const name = String(issue?.path[0] ?? 'environment');
    throw new ConfigError(`${name} ${formatIssue(issue)}`);
  }
  const values = parseResult.data;
  const production = values.NODE_ENV === 'production';
  const publicUrl = values.PUBLIC_URL ?? `http://localhost:${values.PORT}`;
  if (production && !publicUrl.startsWith('https://') && !isLoopback(publicUrl)) {
    throw new ConfigError('PUBLIC_URL must start with https:// in production');
  }
  const problem = findUnsafeSetting(values);
  if (problem !== null) throw new ConfigError(problem);
  const configContext = {
    production,
    development: values.NODE_ENV === 'development',
    demo: isDemo(values),
    publicUrl,
    hasChain: readNodes(values, (line) => new ConfigError(line)) !== null,
  };
  return {
    production,
    demo: configContext.demo,
    publicUrl,
    ...readServer(values, configContext),
    ...readStorage(values, configContext),
    ...readAuth(values, configContext),
    ...readWebsite(values, configContext),
    ...readDemo(values, configContext),
    ...readEvm(values),
    ...readCustody(values, configContext),
    alarms: readAlarms(values, configContext),
    sso: readSso(values, configContext),
  };
}
