import { startCitusCluster } from '../testing/citus-cluster.ts';
import { atEnd } from '../testing/end.ts';
import { testParts } from '../testing/parts-suite.ts';
import { testVisits } from '../testing/statistics-suite.ts';

const cluster = await startCitusCluster();
atEnd(cluster.stop);
testParts(cluster.newDatabase);
for (const parts of [2, 4]) await testVisits(await cluster.newDatabase(), { parts });
