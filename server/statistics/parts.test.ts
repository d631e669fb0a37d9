import { testParts } from '../testing/parts-suite.ts';
import { testVisits } from '../testing/statistics-suite.ts';
import { emptyDatabase } from '../testing/support.ts';

testParts(emptyDatabase);
await testVisits(await emptyDatabase(), { parts: 4 });
