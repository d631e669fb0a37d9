import { emptyDatabase } from '../testing/support.ts';
import { testVisits } from '../testing/statistics-suite.ts';

await testVisits(await emptyDatabase());
