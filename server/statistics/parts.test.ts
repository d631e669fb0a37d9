import { testStatisticsParts } from '../testing/parts-suite.ts';
import { testVisitStatistics } from '../testing/statistics-suite.ts';
import { createEmptyDatabase } from '../testing/support.ts';

testStatisticsParts(createEmptyDatabase);
await testVisitStatistics(await createEmptyDatabase(), { parts: 4 });
