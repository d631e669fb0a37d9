import { startCitusCluster } from '../testing/citus-cluster.ts';
import { onCleanup } from '../testing/cleanup.ts';
import { testVisitStatistics } from '../testing/statistics-suite.ts';

const cluster = await startCitusCluster();
onCleanup(cluster.stop);
await testVisitStatistics(cluster.coordinator.url);
