import { ConfigError, readConfig } from './platform/core/config.ts';
import { createLogger } from './platform/core/log.ts';
import { version } from './platform/core/version.ts';
import { diagnose, type DoctorFinding } from './doctor/checks.ts';

const levelLabels: Readonly<Record<DoctorFinding['level'], string>> = { ok: 'ok', warning: 'WARNING', problem: 'PROBLEM' };

/** npm run doctor: checks the requirements of a start. */
async function main(): Promise<number> {
  console.log(`Admin Panel ${version}, Node ${process.versions.node}`);
  let config;
  try {
    config = readConfig();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    printFinding({ level: 'problem', subject: 'Configuration', text: error.message });
    return 1;
  }
  const findings = await diagnose(config, createLogger({ level: 'silent' }));
  for (const finding of findings) printFinding(finding);
  const problemCount = findings.filter(({ level }) => level === 'problem').length;
  console.log(problemCount === 0 ? 'The panel can start.' : `Problems: ${problemCount}.`);
  return problemCount === 0 ? 0 : 1;
}

const printFinding = ({ level, subject, text }: DoctorFinding) =>
  console.log(`${levelLabels[level].padEnd(8)} ${subject.padEnd(12)} ${text}`);

process.exitCode = await main();
