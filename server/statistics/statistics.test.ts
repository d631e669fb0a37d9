import { testVisitStatistics } from '../testing/statistics-suite.ts';

await testVisitStatistics(null);
