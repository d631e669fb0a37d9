import { steering } from '@admin-panel/qa';

// Run once before looks.spec.ts: node keep.mjs
await steering((environment) => environment.keep('pictures'));
