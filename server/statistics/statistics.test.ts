import { testVisits } from '../testing/statistics-suite.ts';

await testVisits(null);
