import { startCitusCluster } from '../testing/citus-cluster.ts';
import { atEnd } from '../testing/end.ts';
import { testVisits } from '../testing/statistics-suite.ts';

const cluster = await startCitusCluster();
atEnd(cluster.stop);
await testVisits(cluster.coordinator.url);
