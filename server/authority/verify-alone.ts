import { verifyLog } from './verify-log.ts';

// Bundled for Node alone (vite.server.config.ts): node authority-verify.mjs --file log.jsonl --genesis HASH

process.exitCode = await verifyLog(process.argv.slice(2), { command: 'node authority-verify.mjs', fromDatabase: null });
