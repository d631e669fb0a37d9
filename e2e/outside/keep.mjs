import { steering } from '@admin-panel/qa';

// node keep.mjs, once: what the pictures are made of (looks.spec.ts).
await steering((environment) => environment.keep('pictures'));
