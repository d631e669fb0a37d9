import { useState } from 'react';
import type { EditRowsInput, ImportDetails, ImportKind, RereadInput } from '../../../api/imports/contract.ts';
import { errorText } from '../../lib/net/errors.ts';
import { createApi } from '../../lib/net/client.ts';
import { queryClient, refreshResources } from '../../lib/net/query.ts';
import { splitEdits } from './split-edits.ts';

export interface Recheck {
  isBusy: boolean;
  /** Why the last change was refused. */
  problem: string | null;
  /** Keeps choices that are not given. */
  reread: (choices: Partial<Omit<RereadInput, 'id' | 'version'>>) => Promise<void>;
  /** Resolves to the checked rows, fewer if a later request fails. */
  editRows: (rows: EditRowsInput['rows']) => Promise<EditRowsInput['rows']>;
}

export const detailsKey = (kind: ImportKind, id: string, version: number | undefined) =>
  [`${kind}Imports`, 'details', id, version] as const;

/** Sends changes to be checked immediately. `version`: row version of the details, which may be older than the row. */
export function useRecheck(kind: ImportKind, details: ImportDetails, version: number): Recheck {
  const [isBusy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);
  const { row, reading, mapping, fills } = details;
  const routes = () => createApi(`${kind}.import`, crypto.randomUUID())[`${kind}Imports`];

  /** One request at a time, each with the version from the response before. */
  async function sendChanges(requests: readonly ((expectedVersion: number) => Promise<ImportDetails>)[]): Promise<number> {
    if (isBusy) return 0; // disabling the controls would move the focus
    setBusy(true);
    setProblem(null);
    let expectedVersion = version;
    let sentCount = 0;
    try {
      for (const sendRequest of requests) {
        const response = await sendRequest(expectedVersion);
        expectedVersion = response.row.version;
        sentCount += 1;
        // Lets the next change use these details without loading them.
        queryClient.setQueryData(detailsKey(kind, row.id, expectedVersion), response);
      }
    } catch (error) {
      setProblem(errorText(error));
    }
    await refreshResources([`${kind}Imports`]);
    setBusy(false);
    return sentCount;
  }
  return {
    isBusy,
    problem,
    reread: async (choices) => {
      await sendChanges([
        (expectedVersion) =>
          routes().reread({ id: row.id, version: expectedVersion, ...reading, mapping, fills, answers: [], ...choices }),
      ]);
    },
    editRows: async (rows) => {
      const requestParts = splitEdits(rows);
      const sentCount = await sendChanges(
        requestParts.map(
          (requestPart) => (expectedVersion) => routes().editRows({ id: row.id, version: expectedVersion, rows: requestPart }),
        ),
      );
      return requestParts.slice(0, sentCount).flat();
    },
  };
}
