import { createEmptyDatabase } from '../testing/support.ts';
import { testVisitStatistics } from '../testing/statistics-suite.ts';

await testVisitStatistics(await createEmptyDatabase());
