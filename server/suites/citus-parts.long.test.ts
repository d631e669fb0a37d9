import { startCitusCluster } from '../testing/citus-cluster.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { testStatisticsParts } from '../testing/parts-suite.ts';
import { testVisitStatistics } from '../testing/statistics-suite.ts';

const cluster = await startCitusCluster();
onCleanup(cluster.stop);
testStatisticsParts(cluster.newDatabase);
for (const parts of [2, 4]) await testVisitStatistics(await cluster.newDatabase(), { parts });
