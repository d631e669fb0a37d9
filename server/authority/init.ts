import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { replay } from './replay.ts';
import { createGenesis, GenesisConfigError } from './genesis-config.ts';

const usageText = `npm run authority:init -- --config genesis.json [--at 2026-11-02T08:00:00.000Z]

Creates the first line of the production authority log and its hash. Pin the hash in the configuration of the signer and the panel.
It writes no files. The line and AUTHORITY_GENESIS=HASH go to standard output, notes to standard error.
  --config  network, chainId, token, bridge, rpId, origin, approvers with their keys, policy, custody, receivers (docs/operations/custody-and-signer.md)
  --at      time of the first line. The same file and time give the same hash on every machine
Exit code: 0 on success, 2 with a one-line error otherwise.`;

async function main(): Promise<number> {
  const { values } = parseArgs({ options: { config: { type: 'string' }, at: { type: 'string' }, help: { type: 'boolean' } } });
  if (values.help || values.config === undefined) {
    console.log(usageText);
    return values.help ? 0 : 2;
  }
  const createdAt = values.at === undefined ? Date.now() : Date.parse(values.at);
  if (new Date(createdAt).getTime() !== createdAt)
    throw new GenesisConfigError('--at', 'must be a time like 2026-11-02T08:00:00.000Z');
  const { line, hash, notes } = createGenesis(readFileSync(values.config, 'utf8'), createdAt);
  await replay([line], { genesis: hash, now: () => Math.max(createdAt, Date.now()) });
  for (const warning of notes) console.error(`note: ${warning}`);
  console.log(`${line}\nAUTHORITY_GENESIS=${hash}`);
  return 0;
}

try {
  process.exitCode = await main();
} catch (error) {
  const isExpectedError = error instanceof GenesisConfigError || (error instanceof Error && 'code' in error);
  console.error(isExpectedError ? error.message : error);
  process.exitCode = 2;
}
