import { signedReserve, type ReserveReport } from '../../api/custody/reserve.ts';
import { formatBtc, formatUnits } from '../../api/money.ts';
import { AuthorityLog, replay } from './replay.ts';
import { calculateCoverage, checkReserveProof, maxProofAgeMs, type ReserveRefusal } from './shared/reserve.ts';

const refusalTexts: Readonly<Record<ReserveRefusal, string>> = {
  FORM: 'its form is invalid or its addresses don’t add up to the total',
  PLACE: 'it is for another chain, token, Bitcoin network or log',
  LINE: 'it refers to a different version of the log',
  CUSTODY: 'it counts an address that wasn’t a custody address in the log at that time',
  SIGNATURE: 'it isn’t signed by the minter that the log names',
};

/** True: valid, and bitcoin covers the supply. */
export async function verifyReserve(
  text: string,
  { lines, genesis, say, now }: { lines: readonly string[]; genesis: string; say: (line: string) => void; now: number },
): Promise<boolean> {
  const proof = parseProof(text);
  const clock = { genesis, now: () => now };
  const log = new AuthorityLog(clock);
  for (const line of lines.slice(0, (proof?.report.authority.number ?? 0) + 1)) await log.add(line);
  const authority = log.state();
  // Needs the whole log, otherwise a replaced minter key would still count.
  const { minters } = await replay(lines, clock);
  const proofRefusal = await checkReserveProof(proof, { ...authority, minters });
  if (!proof || proofRefusal !== null) {
    say(`FOUND: the proof of reserve is invalid: ${refusalTexts[proofRefusal ?? 'FORM']} (${proofRefusal ?? 'FORM'}).`);
    return false;
  }
  const { report, signer } = proof;
  const reportTime = Date.parse(report.at);
  const omittedAddresses = [...authority.custody].filter(
    ([address, from]) => from <= reportTime && !report.custody.some((entry) => entry.address === address),
  );
  for (const line of formatReport(report, signer)) say(line);
  if (omittedAddresses.length > 0)
    say(`note: the proof leaves out the custody addresses ${omittedAddresses.map(([address]) => address).join(', ')}`);
  if (Math.abs(now - reportTime) > maxProofAgeMs)
    say(`note: the proof is from ${report.at}. The proof doesn’t show the current reserve.`);
  const { surplus } = calculateCoverage(report);
  if (surplus < 0n) say(`FOUND: the supply exceeds the reserve by ${formatUnits(-surplus, 18)} YBTC.`);
  return surplus >= 0n;
}

function formatReport(report: ReserveReport, signer: string): string[] {
  const { custody, satoshi, bitcoin, supply, evm, chainId, network, at } = report;
  const { coverage } = calculateCoverage(report);
  return [
    `Proof of reserve from ${at}, signed by the minter ${signer}:`,
    ...custody.map((entry) => `  ${entry.address}: ${formatBtc(BigInt(entry.satoshi))} BTC`),
    `  ${formatBtc(BigInt(satoshi))} BTC unspent at Bitcoin ${network} block ${bitcoin.height} (${bitcoin.hash})`,
    `  ${formatUnits(BigInt(supply), 18)} YBTC supply at chain ${chainId} block ${evm.block} (${evm.hash})`,
    `  coverage: ${coverage === null ? 'no YBTC in circulation' : `${formatUnits(coverage, 16)}%`}`,
  ];
}

/** Null: not a response of /public/reserve. */
function parseProof(text: string) {
  try {
    const { report, signer, signature } = JSON.parse(text) as Record<string, unknown>;
    return signedReserve.safeParse({ report, signer, signature }).data ?? null;
  } catch {
    return null;
  }
}
